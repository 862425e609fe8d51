import type { Contract } from '../model/contract.ts';
import { type Exchange, headerValues } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { AlikeKind, RootCause } from '../model/report/root-cause.ts';
import { headersFor } from './exchange/headers.ts';
import { documentedStatus } from './exchange/status.ts';
import type { Judged } from './judged.ts';
import { quote } from './quote.ts';
import { ALIKE, type Alike, isTelling, locationOf, mediaTypeOf } from './same-failure.ts';

type Findings = Readonly<Record<string, Finding>>;

/** With one operation alone nothing is told about all of them. */
const MIN_OPERATIONS = 2;

/**
 * The one reason for which every operation at the base address fails, if there is one. The message address is a place
 * of its own: it may fail alike, or do what it should. Pure; branches on what came back, never on words.
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
  const alike = ALIKE.find((each) => base.every(({ exchange }) => each.isAlike(first.exchange, exchange)));
  const cause = alike
    ? sameFailure(alike, first.exchange, judged, findings)
    : sameHeaders(base, judged, findings);
  if (!cause || cause.requirements.length === 0) return undefined;
  const shown = telling.filter(({ exchange }) => cause.ids.has(exchange.id));
  const isAsked = (id: string) => base.some(({ operation }) => operation.id === id);
  const isAll = operations.filter(({ address }) => address === 'baseUrl').every(({ id }) => isAsked(id));
  const isEverywhere = telling.every(({ exchange }) => cause.ids.has(exchange.id));
  const subject = `every operation${isAll ? '' : ' that was asked'}${isEverywhere ? '' : ' at the base address'}`;
  const firstLine = alike && bodyLine(alike.kind, first.exchange);
  return {
    kind: cause.kind,
    statement: `${subject} ${cause.predicate(shown.map(({ exchange }) => exchange))}`,
    ...(firstLine === undefined ? {} : { firstLine }),
    evidence: firstOfEach(shown).map(({ exchange }) => exchange.id),
    requirements: cause.requirements,
  };
}

interface Cause {
  kind: RootCause['kind'];
  /** The exchanges that failed alike, those with wrong keys too. */
  ids: ReadonlySet<number>;
  requirements: readonly string[];
  predicate(shown: readonly Exchange[]): string;
}

/** Whatever was found from such answers alone follows from them: none of it is about the service itself. */
function sameFailure(alike: Alike, first: Exchange, judged: readonly Judged[], findings: Findings): Cause {
  const same = judged.filter(({ exchange }) => alike.isAlike(first, exchange));
  const ids = new Set(same.map(({ exchange }) => exchange.id));
  const elsewhere = new Set(
    judged
      .filter(({ exchange }) => !ids.has(exchange.id))
      .flatMap(({ deviations }) => deviations.map(({ requirement }) => requirement)),
  );
  // What neither an answer nor the sequence shows is about something else, such as the address.
  const isOfAnswers = ({ kind, seen = [] }: Finding) =>
    kind !== 'meaning' || seen.some(({ at }) => at.length > 0);
  const isShown = (id: string, finding: Finding) =>
    finding.status !== 'met' &&
    isOfAnswers(finding) &&
    !elsewhere.has(id) &&
    finding.evidence.length > 0 &&
    finding.evidence.every((each) => ids.has(each));
  return {
    kind: alike.kind,
    ids,
    requirements: withConsequences(findings, isShown),
    predicate: (shown) => PREDICATES[alike.kind](shown),
  };
}

/** Required headers that no response of any operation has. */
function sameHeaders(
  base: readonly Judged[],
  judged: readonly Judged[],
  findings: Findings,
): Cause | undefined {
  const [first = [], ...others] = base.map(absentHeaders);
  const absent = first.filter((name) => others.every((each) => each.includes(name)));
  if (absent.length === 0) return undefined;
  const lacking = judged.filter((each) => absent.every((name) => absentHeaders(each).includes(name)));
  const isShown = (id: string, { status }: Finding) => status === 'violated' && absent.includes(id);
  return {
    kind: 'headers',
    ids: new Set(lacking.map(({ exchange }) => exchange.id)),
    requirements: absent.some((id) => findings[id]?.status === 'violated')
      ? withConsequences(findings, isShown)
      : [],
    predicate: () => `answers without ${listed(absent, 'and')}`,
  };
}

function absentHeaders({ operation, exchange: { response } }: Judged): string[] {
  if (!response) return [];
  return headersFor(operation, documentedStatus(operation, response.status))
    .filter(({ name, required }) => required && headerValues(response.headers, name).length === 0)
    .map(({ name }) => name);
}

/** Findings that show it, with those that could not be tested because of one of them. */
function withConsequences(findings: Findings, isShown: (id: string, finding: Finding) => boolean): string[] {
  const all = Object.entries(findings);
  const found = new Set(all.filter(([id, finding]) => isShown(id, finding)).map(([id]) => id));
  const isNew = ([id, { status, cause }]: (typeof all)[number]) =>
    !found.has(id) && status === 'not-tested' && cause !== undefined && found.has(cause);
  for (let more = all.filter(isNew); more.length > 0; more = all.filter(isNew))
    for (const [id] of more) found.add(id);
  return all.map(([id]) => id).filter((id) => found.has(id));
}

function firstOfEach(judged: readonly Judged[]): Judged[] {
  const byOperation = new Map<string, Judged>();
  for (const each of judged)
    if (!byOperation.has(each.operation.id)) byOperation.set(each.operation.id, each);
  return [...byOperation.values()];
}

/** What every operation does, in words. */
const PREDICATES: Readonly<Record<AlikeKind, (shown: readonly Exchange[]) => string>> = {
  transport([first]) {
    const did = first?.failure?.kind === 'timeout' ? 'timed out' : 'failed to answer';
    return `${did}: ${quote(first?.failure?.message ?? '')}`;
  },
  redirect(shown) {
    const places = new Set(shown.flatMap((each) => placeOf(locationOf(each)) ?? []));
    const origins = new Set(shown.flatMap((each) => locationOf(each)?.origin ?? []));
    const [place] = places.size === 1 ? places : origins.size === 1 ? origins : [];
    return `was redirected${place === undefined ? '' : ` to ${quote(place)}`} (${statusesOf(shown)})`;
  },
  status(shown) {
    const types = new Set(shown.map(({ response }) => response && mediaTypeOf(response)));
    const [type] = types.size === 1 ? types : [];
    return `answered ${statusesOf(shown)}${type === undefined ? '' : ` ${quote(type)}`}`;
  },
  page: (shown) => `answered with an HTML page (${statusesOf(shown)})`,
};

/** An address without what differs from request to request. */
function placeOf(location: URL | undefined): string | undefined {
  return location && `${location.origin}${location.pathname}`;
}

function statusesOf(shown: readonly Exchange[]): string {
  const statuses = new Set(shown.flatMap(({ response }) => response?.status ?? []));
  return listed([...statuses].sort((left, right) => left - right).map(String), 'or');
}

function listed(words: readonly string[], conjunction: string): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

/** Characters of a body in which a line is looked for. */
const MAX_LOOKED_AT = 8_000;

/** The first line of a body that says something: of a page, the first with words between its tags. */
function bodyLine(kind: AlikeKind, { response }: Exchange): string | undefined {
  if (!response || kind === 'redirect') return undefined;
  const lines = response.body
    .slice(0, MAX_LOOKED_AT)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line = lines.find((each) => each.replace(/<[^<>]*>/g, '').trim() !== '') ?? lines[0];
  return line === undefined ? undefined : quote(line);
}
