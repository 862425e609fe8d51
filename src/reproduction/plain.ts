import type { Contract, Operation } from '../model/contract.ts';
import { headerValue } from '../model/exchange.ts';
import { percentDecoded } from '../model/http/percent-encoding.ts';
import { isLate, type Late, OWN_LENGTH, type Probe, type RequestVariation } from '../model/probe.ts';
import type { SentRequest } from '../model/report/reproduction.ts';
import { varied } from '../requests/forms.ts';
import { LearntValues } from '../requests/learnt/learnt-values.ts';
import { requestOf } from '../requests/request.ts';
import { variedProbe } from '../requests/varied-probe.ts';
import { KEY_PLACEHOLDER, SECOND_PLACEHOLDER } from '../secrets/authorization.ts';
import { queryShown, shownKeys } from '../secrets/keys-of-request.ts';
import { sentValue, valuesIn } from './own-texts.ts';

/** The addresses of a target. */
export interface Addresses {
  baseUrl: string;
  apiUrl?: string | null | undefined;
  servers?: Readonly<Record<string, string>> | undefined;
}

/** What the requests of a run are made from. */
export interface PlannedRequests {
  contract: Pick<Contract, 'operations'>;
  probes: { get(id: string): Probe | undefined };
  target: Addresses;
}

/** What is left of what rode along on requests. */
export interface Kept {
  /** Ids of variations. */
  ids: readonly string[];
  /** Whether other values stay: what is stored and read back may depend on them. */
  values: boolean;
}

/** The kinds of variations that give a request other values, another order of them or another form. The others are spellings. */
const VALUES: ReadonlySet<RequestVariation['kind']> = new Set([
  'query-value',
  'query-none',
  'query-order',
  'field-order',
  'optional-fields',
  'text-length',
  'text',
  'risky-text',
  'lenient',
]);

/**
 * A request as its probe says, with no more of what rode along on it than this. Its own texts and ids stay those that were
 * sent. Without its probe it stays as it is.
 */
export function plainForm(request: SentRequest, kept: Kept, planned: PlannedRequests): SentRequest {
  const probe = planned.probes.get(request.probe);
  const operation = planned.contract.operations.find(({ id }) => id === request.operation);
  const ridden = request.variations ?? [];
  if (!probe || !operation || ridden.every((id) => kept.ids.includes(id))) return request;
  const all = new Map(
    [...(probe.variations ?? []), ...(probe.rounds ?? []).flat()].map((each) => [each.id, each]),
  );
  const own = ridden.flatMap((id) => {
    const each = all.get(id);
    return each && (kept.ids.includes(id) || (kept.values && VALUES.has(each.kind))) ? [each] : [];
  });
  const { baseUrl, apiUrl, servers } = planned.target;
  const outgoing = requestOf(
    variedProbe(probe, operation, own),
    operation,
    new SentValues(probe, operation, request),
    {
      baseUrl,
      ...(apiUrl ? { apiUrl } : {}),
      ...(servers ? { servers } : {}),
      apiKey: KEY_PLACEHOLDER,
      secondKey: SECOND_PLACEHOLDER,
      ...shownKeys(operation),
      unknownKey: '',
      headers: [],
    },
    own,
  );
  if (!outgoing) return request;
  const forms = own.flatMap((each) => (each.kind === 'lenient' ? [each.form] : []));
  const { url, headers, body } = [...forms, ...(request.variation ? [request.variation] : [])].reduce(
    varied,
    outgoing,
  );
  const { variations: _, requestBody: __, ...rest } = request;
  return {
    ...rest,
    variations: own.length > 0 ? own.map(({ id }) => id) : undefined,
    url: url.origin + url.pathname + queryShown(url, probe, operation),
    requestHeaders: [
      ...headers.map(([name, value]) => [name, shownValue(request, name) ?? value] as const),
      // Those of the user, which nothing shows.
      ...request.requestHeaders.filter(
        ([name, value]) =>
          value === '[hidden]' && !headers.some(([each]) => each.toLowerCase() === name.toLowerCase()),
      ),
    ],
    requestBody: body,
  };
}

/** A header that carries the key, or that is the user's, as the exchange shows it. */
function shownValue({ requestHeaders }: SentRequest, name: string): string | undefined {
  const value = requestHeaders.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
  return value === '[hidden]' || /PETSPEC_(?:API_|SECOND_)?KEY/.test(value ?? '') ? value : undefined;
}

/** Gives each late value of a probe the value that was sent in its place. */
class SentValues extends LearntValues {
  readonly #sent = new Map<Late, unknown>();
  /** By the probes that they belong to: a varied text is another object, and its end is the same. */
  readonly #ownTexts = new Map<string, string>();

  constructor(probe: Probe, operation: Operation, request: SentRequest) {
    super(undefined, () => 0n);
    const inPath = pathValues(operation, request.url);
    for (const [name, value] of Object.entries(probe.path))
      if (isLate(value)) this.#sent.set(value, inPath.get(name));
    for (const [name, value] of probe.headers ?? [])
      if (isLate(value)) this.#sent.set(value, headerValue(request.requestHeaders, name));
    const template = probe.body && 'json' in probe.body ? probe.body.json : undefined;
    for (const { late, value } of valuesIn(template, sentValue(request), operation.body?.schema)) {
      this.#sent.set(late, value);
      if (late.late === 'own' && typeof value === 'string') this.#ownTexts.set(late.of, value);
    }
  }

  override resolve(late: Late): unknown {
    if (late.late === 'stated') return late.value;
    if (late.late !== 'own' || late.as !== 'text') return this.#sent.get(late);
    const text = this.#ownTexts.get(late.of) ?? '';
    const like = [...late.like];
    return like.length < OWN_LENGTH
      ? text
      : `${like.slice(0, -OWN_LENGTH).join('')}${text.slice(-OWN_LENGTH)}`;
  }
}

/** The values in the path of a request, by the names of its parameters. */
export function pathValues({ path }: Operation, url: string): Map<string, string> {
  const wanted = path.split('/');
  const { pathname } = new URL(url);
  // One of the other spellings of an address ends with a slash.
  const sent = (path.endsWith('/') ? pathname : pathname.replace(/\/$/, '')).split('/').slice(-wanted.length);
  return new Map(
    wanted.flatMap((segment, index) => {
      const name = /^\{(.*)\}$/.exec(segment)?.[1];
      return name === undefined ? [] : [[name, percentDecoded(sent[index] ?? '')] as const];
    }),
  );
}
