import type { Contract, Operation } from '../model/contract.ts';
import { headerValue } from '../model/exchange.ts';
import { percentDecoded } from '../model/http/percent-encoding.ts';
import { isLate, type Late, OWN_LENGTH, type Probe, type RequestVariation } from '../model/probe.ts';
import type { SentRequest } from '../model/report/reproduction.ts';
import { varied } from '../requests/forms.ts';
import { LearntValues } from '../requests/learnt/learnt-values.ts';
import { requestOf } from '../requests/request.ts';
import { variedProbe } from '../requests/varied-probe.ts';
import { KEY_PLACEHOLDER, SECOND_PLACEHOLDER } from '../secrets/keys/authorization.ts';
import { queryShown, shownKeys } from '../secrets/keys/keys-of-request.ts';
import { sentValue, valuesIn } from './own-texts.ts';

export interface Addresses {
  baseUrl: string;
  apiUrl?: string | null | undefined;
  servers?: Readonly<Record<string, string>> | undefined;
}

/** The interface, the probes and the addresses that the requests of a run were made from. */
export interface PlannedRequests {
  contract: Pick<Contract, 'operations'>;
  probes: { get(id: string): Probe | undefined };
  target: Addresses;
}

/** Which variations of a request its reproduction keeps. */
export interface Kept {
  /** Ids of variations. */
  ids: readonly string[];
  /** Whether varied values stay too: what is stored and read back may depend on them. */
  values: boolean;
}

/** The kinds of variations that change values, their order, or the form of a request. The others only change its spelling. */
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
 * A request as its probe says, with only the variations that are kept. Unique texts and ids stay as they were sent. A
 * request without a known probe stays as it is.
 */
export function plainForm(request: SentRequest, kept: Kept, planned: PlannedRequests): SentRequest {
  const probe = planned.probes.get(request.probe);
  const operation = planned.contract.operations.find(({ id }) => id === request.operation);
  const variationIds = request.variations ?? [];
  if (!probe || !operation || variationIds.every((id) => kept.ids.includes(id))) return request;
  const variations = new Map(
    [...(probe.variations ?? []), ...(probe.rounds ?? []).flat()].map((variation) => [
      variation.id,
      variation,
    ]),
  );
  const keptVariations = variationIds.flatMap((id) => {
    const variation = variations.get(id);
    return variation && (kept.ids.includes(id) || (kept.values && VALUES.has(variation.kind)))
      ? [variation]
      : [];
  });
  const { baseUrl, apiUrl, servers } = planned.target;
  const outgoing = requestOf(
    variedProbe(probe, operation, keptVariations),
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
    keptVariations,
  );
  if (!outgoing) return request;
  const forms = keptVariations.flatMap((variation) => (variation.kind === 'lenient' ? [variation.form] : []));
  const { url, headers, body } = [...forms, ...(request.variation ? [request.variation] : [])].reduce(
    varied,
    outgoing,
  );
  const { variations: _, requestBody: __, ...rest } = request;
  return {
    ...rest,
    variations: keptVariations.length > 0 ? keptVariations.map(({ id }) => id) : undefined,
    url: url.origin + url.pathname + queryShown(url, probe, operation),
    requestHeaders: [
      ...headers.map(([name, value]) => [name, shownValue(request, name) ?? value] as const),
      // The headers of the user, whose values are hidden.
      ...request.requestHeaders.filter(
        ([name, value]) =>
          value === '[hidden]' && !headers.some(([header]) => header.toLowerCase() === name.toLowerCase()),
      ),
    ],
    requestBody: body,
  };
}

/** The shown value of a header that carries the key, or that is the user's. */
function shownValue({ requestHeaders }: SentRequest, name: string): string | undefined {
  const value = requestHeaders.find(([header]) => header.toLowerCase() === name.toLowerCase())?.[1];
  return value === '[hidden]' || /PETSPEC_(?:API_|SECOND_)?KEY/.test(value ?? '') ? value : undefined;
}

/** Gives each late value of a probe the value that was sent for it. */
class SentValues extends LearntValues {
  readonly #sent = new Map<Late, unknown>();
  /** By id of the probe: a varied text is another object with the same end. */
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
    const characters = [...late.like];
    return characters.length < OWN_LENGTH
      ? text
      : `${characters.slice(0, -OWN_LENGTH).join('')}${text.slice(-OWN_LENGTH)}`;
  }
}

/** The values in the path of a request, by the names of its parameters. */
export function pathValues({ path }: Operation, url: string): Map<string, string> {
  const segments = path.split('/');
  const { pathname } = new URL(url);
  // An address may be spelled with a slash at its end.
  const sent = (path.endsWith('/') ? pathname : pathname.replace(/\/$/, ''))
    .split('/')
    .slice(-segments.length);
  return new Map(
    segments.flatMap((segment, index) => {
      const name = /^\{(.*)\}$/.exec(segment)?.[1];
      return name === undefined ? [] : [[name, percentDecoded(sent[index] ?? '')] as const];
    }),
  );
}
