import { headerRequirement } from '../contract/requirements.ts';
import type { Contract } from '../model/contract.ts';
import { type Exchange, headerValues, type Received } from '../model/exchange.ts';
import type { Finding, Findings } from '../model/finding.ts';
import type { RootCause, SameFailureKind } from '../model/report/diagnosis.ts';
import { quote } from '../model/visible.ts';
import type { Judged } from './evidence/judged.ts';
import {
  isTelling,
  locationOf,
  mediaTypeOf,
  placeOf,
  SAME_FAILURES,
  type SameFailure,
} from './evidence/same-failure.ts';
import { headersFor } from './exchange/headers.ts';
import { documentedStatus } from './exchange/status.ts';

/** A single operation says nothing about all of them. */
const MIN_OPERATIONS = 2;

/**
 * The one reason why every operation at the base address fails, if it exists. The message address may belong to another
 * server, so it may fail in the same manner or not.
 */
export function rootCauseOf(
  judged: readonly Judged[],
  findings: Findings,
  { operations }: Pick<Contract, 'operations'>,
): RootCause | undefined {
  const telling = judged.filter(isTelling);
  const base = telling.filter(({ operation }) => operation.address === 'baseUrl');
  const [first] = base;
  if (!first || firstOfEach(base).length < MIN_OPERATIONS) return undefined;
  const manner = SAME_FAILURES.find((failure) =>
    base.every(({ exchange }) => failure.isSame(first.exchange, exchange)),
  );
  const cause = manner
    ? sameFailure(manner, first.exchange, judged, findings)
    : sameHeaders(base, judged, findings);
  if (!cause || cause.requirements.length === 0) return undefined;
  const failing = telling.filter(({ exchange }) => cause.ids.has(exchange.id));
  const isAsked = (id: string) => base.some(({ operation }) => operation.id === id);
  const isAll = operations.filter(({ address }) => address === 'baseUrl').every(({ id }) => isAsked(id));
  const isEverywhere = telling.every(({ exchange }) => cause.ids.has(exchange.id));
  const subject = `every operation${isAll ? '' : ' in this run'}${isEverywhere ? '' : ' at the base address'}`;
  const firstLine = manner && bodyLine(manner.kind, first.exchange);
  return {
    kind: cause.kind,
    statement: `${subject} ${cause.predicate(failing.map(({ exchange }) => exchange))}`,
    firstLine,
    evidence: firstOfEach(failing).map(({ exchange }) => exchange.id),
    requirements: cause.requirements,
  };
}

interface Cause {
  kind: RootCause['kind'];
  /** The exchanges that failed in the same way, including requests with wrong keys. */
  ids: ReadonlySet<number>;
  requirements: readonly string[];
  predicate(shown: readonly Exchange[]): string;
}

/** A finding whose evidence is only such exchanges is a consequence of the failure. */
function sameFailure(
  manner: SameFailure,
  first: Exchange,
  judged: readonly Judged[],
  findings: Findings,
): Cause {
  const same = judged.filter(({ exchange }) => manner.isSame(first, exchange));
  const ids = new Set(same.map(({ exchange }) => exchange.id));
  const elsewhere = new Set(
    judged
      .filter(({ exchange }) => !ids.has(exchange.id))
      .flatMap(({ deviations }) => deviations.map(({ requirement }) => requirement)),
  );
  // A finding that no response shows is about something else, such as the address.
  const isOfResponses = ({ kind, seen = [] }: Finding) =>
    kind !== 'meaning' || seen.some(({ at }) => at.length > 0);
  const isShown = (id: string, finding: Finding) =>
    finding.status !== 'met' &&
    isOfResponses(finding) &&
    !elsewhere.has(id) &&
    finding.evidence.length > 0 &&
    finding.evidence.every((exchange) => ids.has(exchange));
  return {
    kind: manner.kind,
    ids,
    requirements: withConsequences(findings, isShown),
    predicate: (shown) => PREDICATES[manner.kind](shown),
  };
}

/** Required headers that are absent from every response of every operation. */
function sameHeaders(
  base: readonly Judged[],
  judged: readonly Judged[],
  findings: Findings,
): Cause | undefined {
  const lists = base.map(absentHeaders);
  const absent = [...new Set(lists.flat())].filter((name) => lists.every((names) => names.includes(name)));
  if (absent.length === 0) return undefined;
  const lacking = judged.filter((result) => absent.every((name) => absentHeaders(result).includes(name)));
  const isShown = (id: string, { status }: Finding) => status === 'violated' && absent.includes(id);
  return {
    kind: 'headers',
    ids: new Set(lacking.map(({ exchange }) => exchange.id)),
    requirements: withConsequences(findings, isShown),
    predicate: () => `responds without ${listed(absent, 'and')}`,
  };
}

function absentHeaders({ operation, exchange: { response } }: Judged): string[] {
  if (!response) return [];
  return headersFor(operation, documentedStatus(operation, response.status))
    .filter(({ name, required }) => required && headerValues(response.headers, name).length === 0)
    .map(headerRequirement);
}

/** The findings that show the root cause, and the requirements that these findings kept from being tested. */
function withConsequences(findings: Findings, isShown: (id: string, finding: Finding) => boolean): string[] {
  const entries = Object.entries(findings);
  const shown = new Set(entries.filter(([id, finding]) => isShown(id, finding)).map(([id]) => id));
  const isNew = ([id, { status, cause }]: (typeof entries)[number]) =>
    !shown.has(id) && status === 'not-tested' && cause !== undefined && shown.has(cause);
  for (let more = entries.filter(isNew); more.length > 0; more = entries.filter(isNew))
    for (const [id] of more) shown.add(id);
  return entries.map(([id]) => id).filter((id) => shown.has(id));
}

function firstOfEach(judged: readonly Judged[]): Judged[] {
  const byOperation = new Map<string, Judged>();
  for (const result of judged)
    if (!byOperation.has(result.operation.id)) byOperation.set(result.operation.id, result);
  return [...byOperation.values()];
}

/** What every operation does, in words. */
const PREDICATES: Readonly<Record<SameFailureKind, (shown: readonly Exchange[]) => string>> = {
  transport([first]) {
    const did = first?.failure?.kind === 'timeout' ? 'timed out' : 'failed to respond';
    return `${did}: ${quote(first?.failure?.message ?? '')}`;
  },
  redirect(shown) {
    const places = new Set(shown.flatMap((exchange) => placeOf(locationOf(exchange)) ?? []));
    const origins = new Set(shown.flatMap((exchange) => locationOf(exchange)?.origin ?? []));
    const [place] = places.size === 1 ? places : origins.size === 1 ? origins : [];
    return `was redirected${place === undefined ? '' : ` to ${quote(place)}`} (${statusesOf(shown)})`;
  },
  status(shown) {
    const types = new Set(shown.map(({ response }) => response && mediaTypeOf(response)));
    const [type] = types.size === 1 ? types : [];
    return `returned ${statusesOf(shown)}${type === undefined ? '' : ` ${quote(type)}`}`;
  },
  page: (shown) => `returned an HTML page (${statusesOf(shown)})`,
};

function statusesOf(shown: readonly Exchange[]): string {
  const statuses = new Set(shown.flatMap(({ response }) => response?.status ?? []));
  return listed([...statuses].sort((left, right) => left - right).map(String), 'or');
}

/** Words as a list: `a, b and c`. */
export function listed(words: readonly string[], conjunction: string): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

/** The first characters of a body, in which a line is looked for. */
const MAX_LOOKED_AT = 8_000;

function bodyLine(kind: SameFailureKind, { response }: Exchange): string | undefined {
  return response && kind !== 'redirect' ? firstLineOf(response) : undefined;
}

/** The first line of a body that has words; in a page, words between tags. */
export function firstLineOf({ body }: Received): string | undefined {
  const lines = body
    .slice(0, MAX_LOOKED_AT)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line = lines.find((text) => text.replace(/<[^<>]*>/g, '').trim() !== '') ?? lines[0];
  return line === undefined ? undefined : quote(line);
}
