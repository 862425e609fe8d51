import { type Json, parseJson } from '../../src/model/json.ts';
import {
  type ClientCheck,
  type ClientRequest,
  type DeviatingRequest,
  judged,
  listed,
  type ScenarioTraffic,
} from '../../src/traffic/client-check.ts';

const TWO_53 = 2n ** 53n;

/** Smaller numbers may be ids that a client knows from elsewhere, not the last 32 bits of a larger id. */
const LEAST_32_BITS = 10_000n;

/** A wrong id that a client sends if it does not keep all digits of the right one. */
interface LossyId {
  value: bigint;
  /** The number type of the client, in words. */
  as: string;
}

/** The wrong values that number types make of an id beyond 2^53. */
function lostForms(id: bigint): LossyId[] {
  const size = id < 0n ? -id : id;
  const forms = [
    ...limitedTo(53, id).map((value) => ({ value, as: 'a floating-point number' })),
    ...limitedTo(24, id).map((value) => ({ value, as: 'a floating-point number of 32 bits' })),
    { value: BigInt(Number(id)), as: 'a floating-point number' },
    { value: BigInt(Math.fround(Number(id))), as: 'a floating-point number of 32 bits' },
    ...[14, 15, 16, 17].flatMap((digits) =>
      withDigits(digits, id).map((value) => ({ value, as: `a number of ${digits} digits` })),
    ),
    ...[BigInt.asIntN(32, id), BigInt.asUintN(32, id)]
      .filter((value) => value >= LEAST_32_BITS || -value >= LEAST_32_BITS)
      .map((value) => ({ value, as: 'a number of 32 bits' })),
    ...[TWO_53 - 1n, TWO_53].map((value) => ({
      value: id < 0n ? -value : value,
      as: 'a number that is 2^53 at most',
    })),
  ];
  return size <= TWO_53 ? [] : forms.filter(({ value }) => value !== id);
}

/** An id cut off after so many bits. */
function limitedTo(bits: number, id: bigint): bigint[] {
  const surplus = (id < 0n ? -id : id).toString(2).length - bits;
  const unit = 2n ** BigInt(Math.max(0, surplus));
  return [id - (id % unit)];
}

/** An id rounded to so many decimal digits, as it is and as a double, and cut off after them. */
function withDigits(digits: number, id: bigint): bigint[] {
  const surplus = String(id < 0n ? -id : id).length - digits;
  if (surplus <= 0) return [];
  const unit = 10n ** BigInt(surplus);
  const cut = id - (id % unit);
  const half = id < 0n ? -unit / 2n : unit / 2n;
  const rounded = id + half - ((id + half) % unit);
  return [cut, rounded, BigInt(Number(rounded))];
}

const requirement = listed(
  'ids',
  'must',
  'Pet (animal record, returned by the service)',
  'An id (int64) that the service returned is sent back with every digit.',
);

/** What the interface says about the ids that clients send. */
export const idChecks: readonly ClientCheck[] = [
  {
    requirement,
    judge({ scenarios }) {
      const { wrong, held } = sentBackIn(scenarios);
      return judged(requirement, wrong, held, 'send back an id beyond 2^53');
    },
  },
];

/** The requests with ids beyond 2^53 from earlier responses: `wrong` ones lost digits, `held` ones did not. */
export function sentBackIn(scenarios: readonly ScenarioTraffic[]): {
  wrong: DeviatingRequest[];
  held: ClientRequest[];
} {
  const fromElsewhere = knownBefore(scenarios);
  const results = scenarios.map((traffic) => examine(traffic, fromElsewhere));
  return { wrong: results.flatMap(({ wrong }) => wrong), held: results.flatMap(({ held }) => held) };
}

/** Compares the ids in a scenario's requests with those in earlier responses. */
function examine(
  { scenario, requests }: ScenarioTraffic,
  fromElsewhere: ReadonlySet<bigint>,
): { wrong: DeviatingRequest[]; held: ClientRequest[] } {
  const returned = new Set<bigint>();
  const sent = new Set<bigint>();
  const lost = new Map<bigint, LossyId & { id: bigint }>();
  const wrong: DeviatingRequest[] = [];
  const held: ClientRequest[] = [];
  for (const request of requests) {
    for (const { id, pointer } of idsIn(request)) {
      const loss = fromElsewhere.has(id) ? undefined : lost.get(id);
      if (returned.has(id)) {
        if (!isExact(id)) held.push(request);
        continue;
      }
      sent.add(id);
      if (loss) wrong.push({ scenario, request, deviation: deviationOf(id, pointer, loss) });
    }
    for (const id of integersIn(request.exchange.response?.body ?? '')) {
      // An id that the client sent before any response had it is not the service's.
      if (returned.has(id) || sent.has(id)) continue;
      returned.add(id);
      for (const form of isExact(id) ? [] : lostForms(id))
        if (!lost.has(form.value)) lost.set(form.value, { ...form, id });
    }
  }
  return { wrong, held };
}

function deviationOf(
  id: bigint,
  pointer: string | undefined,
  { id: meant, as }: LossyId & { id: bigint },
): DeviatingRequest['deviation'] {
  return {
    kind: 'meaning',
    reason: `an id lost digits: it was read as ${as}`,
    expected: String(meant),
    received: String(id),
    pointer,
  };
}

/** Ids that a client knows from elsewhere: it sent them before a response had them or an id that they could come from. */
function knownBefore(scenarios: readonly ScenarioTraffic[]): ReadonlySet<bigint> {
  const fromElsewhere = new Set<bigint>();
  for (const { requests } of scenarios) {
    const shown = new Set<bigint>();
    for (const request of requests) {
      for (const { id } of idsIn(request)) if (!shown.has(id)) fromElsewhere.add(id);
      for (const id of integersIn(request.exchange.response?.body ?? ''))
        for (const known of [id, ...(isExact(id) ? [] : lostForms(id).map(({ value }) => value))])
          shown.add(known);
    }
  }
  return fromElsewhere;
}

/** The ids in a request: integers where the interface has an int64. Those in the body have a pointer. */
function idsIn({ classified }: ClientRequest): { id: bigint; pointer: string | undefined }[] {
  return classified.values.flatMap(({ schema, value, pointer }) => {
    const id = schema.format === 'int64' ? integerOf(value) : undefined;
    return id === undefined ? [] : [{ id, pointer }];
  });
}

/** Whether a double represents an id exactly, and every smaller one. */
function isExact(id: bigint): boolean {
  return id <= Number.MAX_SAFE_INTEGER && id >= Number.MIN_SAFE_INTEGER;
}

function integerOf(value: Json): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

/** The integers in a JSON text. */
function integersIn(text: string): bigint[] {
  const parsed = parseJson(text);
  const integers: bigint[] = [];
  const visit = (value: Json) => {
    const integer = integerOf(value);
    if (integer !== undefined) integers.push(integer);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  if (parsed.ok) visit(parsed.value);
  return integers;
}
