import type { Arbitrary, Random } from 'fast-check';
import type { Contract, Operation, Schema } from '../../model/contract.ts';
import { INT64_MAX, INT64_MIN } from '../../requests/plain-values.ts';
import { pathParameters, queryParameters } from '../probe.ts';
import { type FastCheck, fastCheck } from '../reads/pattern-text.ts';
import { isSentValid } from '../validity.ts';
import { drawFrom } from '../variations/random.ts';
import { type EntryLink, entryLinks, LISTED } from './further-reads.ts';
import { isOpenId } from './open-queries.ts';

/** A drawn request, as plain data. */
export type Case =
  /** A body in which one field is wrong. */
  | { kind: 'body'; operation: string; field: string; value: unknown }
  /** Valid values of the query. */
  | { kind: 'valid'; operation: string; values: Record<string, string>; isReversed: boolean }
  /** Values of the query that the interface says nothing about. */
  | { kind: 'query'; operation: string; name: string; value: string }
  /** An id in the path that the interface says nothing about. */
  | { kind: 'path'; operation: string; value: string }
  /** A read of the entry at a place of the longest list. */
  | { kind: 'entry'; operation: string; place: number };

/** Characters that no firewall takes for an attack. */
const SIGNS = ' +-.,_:0123456789abcdefABCDEFxyz';

const arbitraries = new WeakMap<Contract, Arbitrary<Case> | undefined>();

/**
 * The case that a seed draws. The first number of the path is the place; each further number chooses one of the smaller cases
 * that the case so far can be shrunk to. Undefined if there is none.
 */
export function caseAt(
  contract: Contract,
  seed: number,
  [index = 0, ...steps]: readonly number[],
): Case | undefined {
  if (!arbitraries.has(contract)) arbitraries.set(contract, arbitraryOf(contract, fastCheck()));
  const arbitrary = arbitraries.get(contract);
  if (!arbitrary) return undefined;
  let value = arbitrary.generate(randomFrom(seed + index * 7_919), undefined);
  for (const step of steps) {
    const [smaller] = arbitrary.shrink(value.value_, value.context).drop(step).take(1);
    if (smaller === undefined) return undefined;
    value = smaller;
  }
  return value.value;
}

/** A source of random numbers for fast-check that repeats for the same seed. */
function randomFrom(seed: number): Random {
  const draw = drawFrom(seed);
  const generator = {
    clone: () => generator,
    next: () => draw(2 ** 32) - 2 ** 31,
    getState: () => [],
  };
  const { Random: Source } = fastCheck();
  return new Source(generator);
}

/** Draws from all cases that the contract implies; undefined if it implies none. */
function arbitraryOf(contract: Contract, fc: FastCheck): Arbitrary<Case> | undefined {
  const { operations } = contract;
  const atBase = operations.filter(({ address }) => address === 'baseUrl');
  const alternatives = [
    ...atBase.flatMap((operation) => bodyCases(operation, fc)),
    ...atBase.flatMap((operation) => queryCases(operation, fc)),
    ...atBase.flatMap((operation) => pathCases(operation, fc)),
    ...entryLinks(contract).map((link) => entryCases(link, fc)),
  ];
  return alternatives.length === 0 ? undefined : fc.oneof(...alternatives);
}

function bodyCases({ id, body, responses, mayRefuse }: Operation, fc: FastCheck): Arbitrary<Case>[] {
  if (!body || mayRefuse || !responses.some(({ status }) => status === '400')) return [];
  return Object.entries(body.schema.properties ?? {})
    .filter(([, schema]) => schema['x-unspecified'] === undefined && hasCertainlyWrong(schema))
    .map(([field, schema]) =>
      fc.record({
        kind: fc.constant('body' as const),
        operation: fc.constant(id),
        field: fc.constant(field),
        value: fc
          .oneof(
            fc.jsonValue({ maxDepth: 3 }),
            fc.double(),
            fc.bigInt(),
            fc.string(),
            fc.constantFrom(...nearly(schema)),
          )
          .filter((value) => isCertainlyWrong(value, schema)),
      }),
    );
}

/** Values that are nearly right: changed and repeated members. */
function nearly({ enum: members = ['1', '0', 'true'] }: Schema): unknown[] {
  return members.flatMap((member) => [
    `${member}${member}`,
    `${member}.`,
    `-${member}`,
    String(member).slice(1),
    [member, member],
  ]);
}

/** Whether a schema has certainly wrong values. Otherwise, filtering for them would never end. */
function hasCertainlyWrong({ type, enum: members }: Schema): boolean {
  return members !== undefined || type === 'string' || type === 'integer';
}

/** Whether no service may accept a value: it has another JSON type, is no member, or is no integer of 64 bits. */
export function isCertainlyWrong(value: unknown, schema: Schema): boolean {
  const { type, enum: members, format } = schema;
  if (isSentValid(schema, value)) return false;
  if (members) return !members.includes(value);
  if (type === 'string') return typeof value !== 'string';
  if (type !== 'integer') return false;
  if (typeof value === 'bigint') return format === 'int64' && (value > INT64_MAX || value < INT64_MIN);
  return typeof value !== 'number' || !Number.isInteger(value);
}

function queryCases(operation: Operation, fc: FastCheck): Arbitrary<Case>[] {
  const { id, method } = operation;
  const query = queryParameters(operation);
  if (method !== 'GET' || query.length === 0) return [];
  const values = Object.fromEntries(
    query.flatMap(({ name, schema }) => {
      const valid = validValues(schema, fc);
      return valid ? [[name, valid] as const] : [];
    }),
  );
  const required = query.filter(({ name, required }) => required && values[name]).map(({ name }) => name);
  return [
    fc.record({
      kind: fc.constant('valid' as const),
      operation: fc.constant(id),
      values: fc.record(values, { requiredKeys: required }) as Arbitrary<Record<string, string>>,
      isReversed: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('query' as const),
      operation: fc.constant(id),
      name: fc.constantFrom(...query.map(({ name }) => name)),
      value: fc.string({ unit: fc.constantFrom(...SIGNS) }),
    }),
  ];
}

function validValues(
  { enum: members, type, minimum, maximum }: Schema,
  fc: FastCheck,
): Arbitrary<string> | undefined {
  if (members) return fc.constantFrom(...members.map(String));
  if (type !== 'integer' || minimum === undefined || maximum === undefined) return undefined;
  return fc.integer({ min: minimum, max: maximum }).map(String, Number);
}

function pathCases(operation: Operation, fc: FastCheck): Arbitrary<Case>[] {
  const { id, method } = operation;
  const parameter = pathParameters(operation).at(-1);
  if (method !== 'GET' || !parameter || !isOpenId(parameter)) return [];
  return [
    fc.record({
      kind: fc.constant('path' as const),
      operation: fc.constant(id),
      // A path of dots alone is another path.
      value: fc
        .string({ unit: fc.constantFrom(...SIGNS), minLength: 1, maxLength: 30 })
        .filter((value) => /[^. ]/.test(value)),
    }),
  ];
}

/** Reads of list entries that other requests do not read by id. */
function entryCases({ target, longest }: EntryLink, fc: FastCheck): Arbitrary<Case> {
  return fc.record({
    kind: fc.constant('entry' as const),
    operation: fc.constant(target.id),
    place: fc.integer({ min: Math.min(LISTED, longest - 1), max: longest - 1 }),
  });
}
