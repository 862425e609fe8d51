import type { Finding } from '../../judge/finding.ts';
import type { Repetition } from '../../judge/repetition.ts';
import { entriesInTurn, inTurn, recordInTurn } from './chain.ts';
import { unknownVariables } from './command.ts';
import { afterRefusal, answersOf, limitsInTurn, limitsOf, untilRefused } from './loops.ts';
import { sharesTextWith } from './own-texts.ts';
import type { Reproduction } from './reproduction.ts';
import type { Sent } from './requests.ts';
import { type Run, stepsOf } from './steps.ts';
import { atOnce, ROUNDS, untilSame } from './together.ts';
import { type Cost, warningOf } from './warning.ts';

export { collectRequests } from './requests.ts';
export type { Run } from './steps.ts';

/** A script, line by line, and what it costs. */
interface Draft extends Cost {
  lines: string[];
}

/**
 * The shortest script that shows a violation again. Undefined where no request shows it.
 * @param run what is known of the requests of the run that found it
 */
export function reproduce(
  { evidence, repetition }: Pick<Finding, 'evidence' | 'repetition'>,
  run: Run,
): Reproduction | undefined {
  const first = run.requests.byId(evidence[0] ?? 0);
  if (!first || !/^https?:\/\//i.test(first.url)) return undefined;
  const cited = evidence.flatMap((id) => run.requests.byId(id) ?? []);
  const draft =
    aboutTheLimit(first, cited, repetition, run) ??
    (repetition && repeat(repetition, run)) ??
    alone(first, run);
  const warning = warningOf(draft, run);
  const unknown = unknownVariables(draft.requests).map(
    (name) => `# set ${name} first: petspec keeps no value of a header of your own`,
  );
  return {
    script: [...unknown, ...draft.lines].join('\n'),
    ...(warning === undefined ? {} : { warning }),
  };
}

/** The request by itself, with what it needs. */
function alone(request: Sent, run: Run): Draft {
  const before = run.requests
    .all()
    .find(({ probe }) => probe === sharesTextWith(run.probes.get(request.probe)));
  const requests = before && before.id < request.id ? [before, request] : [request];
  return { lines: inTurn(requests, run), requests: allOf(requests, run) };
}

/** What only the used up limit shows: the refusal, what comes instead of it, or what comes after it. */
function aboutTheLimit(
  first: Sent,
  cited: readonly Sent[],
  repetition: Repetition | undefined,
  run: Run,
): Draft | undefined {
  const isAfter = repetition?.kind === 'after-refusal' || first.stage === 'recover';
  const isRefused = first.status === 429 && first.key === 'valid';
  if (!isAfter && !isRefused && first.stage !== 'exhaust') return undefined;
  const request = harmless(first, run);
  const limit = run.contract.plans[run.plan ?? '']?.minute ?? first.limit ?? 0;
  const ordinal = Math.max(...cited.map((each) => each.ordinal));
  // A run that came upon a refusal may have begun with a key that was partly used.
  const times = Math.max(isRefused || isAfter ? 2 * ordinal : ordinal, limit + 2);
  if (isAfter) {
    const refusal = run.requests.all().find(({ status, key }) => status === 429 && key === 'valid');
    const isDate = /[a-z]/i.test(refusal?.retryAfter ?? '');
    const lines = afterRefusal(request, times, isDate, run);
    return { lines, requests: many(request, times + 1, run), usesUpLimit: true };
  }
  const other = isRefused ? undefined : otherRead(request, run);
  return {
    lines: untilRefused(request, other, times, run),
    requests: many(request, times, run),
    usesUpLimit: true,
  };
}

/** A request like this one that changes nothing: a read, or one of the same operation that was refused. */
function harmless(request: Sent, run: Run): Sent {
  if (request.method === 'GET') return request;
  const refused = run.requests
    .all()
    .find(
      ({ operation, status = 0, key }) =>
        operation === request.operation && key === 'valid' && status >= 400 && status < 500 && status !== 429,
    );
  return refused ?? request;
}

/** A read of the same operation that differs in its query alone. */
function otherRead({ operation, method, url }: Sent, run: Run): Sent | undefined {
  const pathOf = (address: string) => address.split('?')[0];
  return run.requests
    .all()
    .find(
      (each) =>
        each.stage === 'first' &&
        each.operation === operation &&
        method === 'GET' &&
        each.url !== url &&
        pathOf(each.url) === pathOf(url),
    );
}

function repeat(repetition: Repetition, run: Run): Draft | undefined {
  if (repetition.kind === 'after-refusal') return undefined;
  if (repetition.kind === 'again') {
    const request = run.requests.byId(repetition.exchange);
    if (!request) return undefined;
    const script = repetition.shows === 'limits' ? limitsOf : answersOf;
    return {
      lines: script(request, repetition.times, run),
      requests: many(request, repetition.times, run),
    };
  }
  const requests = repetition.exchanges.flatMap((id) => run.requests.byId(id) ?? []);
  if (requests.length < repetition.exchanges.length) return undefined;
  const lines = linesOf(repetition, requests, run);
  const rounds = repetition.kind === 'until-same' ? ROUNDS : 1;
  const sent = allOf(requests, run);
  return lines && { lines, requests: Array.from({ length: rounds }, () => sent).flat() };
}

type OfSeveral = Exclude<Repetition, { kind: 'again' | 'after-refusal' }>;

function linesOf(repetition: OfSeveral, requests: readonly Sent[], run: Run): string[] | undefined {
  switch (repetition.kind) {
    case 'record':
      return recordInTurn(requests, repetition, run);
    case 'together':
      return atOnce(requests, run);
    case 'until-same':
      return untilSame(requests, repetition, run);
    case 'in-turn':
      if (repetition.shows === 'entries') return entriesInTurn(requests, run);
      return repetition.shows === 'limits' ? limitsInTurn(requests, run) : inTurn(requests, run);
  }
}

/** All requests of a script that sends these. */
function allOf(requests: readonly Sent[], run: Run): Sent[] {
  return stepsOf(requests, run).steps.map(({ request }) => request);
}

/** All requests of a script that sends one so many times. */
function many(request: Sent, times: number, run: Run): Sent[] {
  const needed = allOf([request], run).slice(0, -1);
  return [...needed, ...Array.from({ length: times }, () => request)];
}
