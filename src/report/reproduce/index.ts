import type { Finding } from '../../model/finding.ts';
import type { Repetition } from '../../model/repetition.ts';
import type { Reproduction } from '../../model/report/report.ts';
import { unknownVariables } from './command.ts';
import { entriesInTurn, inTurn, recordInTurn } from './in-order.ts';
import { limitsInTurn, limitsOf, responsesOf } from './loops.ts';
import { inParallel, ROUNDS, untilSame } from './parallel.ts';
import { inTurnAndAgain, rateLimitScript, type Script } from './rate-limit.ts';
import type { SentRequest } from './sent-request.ts';
import type { Run } from './steps.ts';
import { sharesTextWith } from './unique-texts.ts';
import { allOf, many, warningOf } from './warning.ts';

/**
 * The shortest script that reproduces a violation. Undefined if no request shows it.
 * @param run the requests of the run that found it
 */
export function reproduce(
  { evidence, kind, repetition, variation }: Pick<Finding, 'evidence' | 'kind' | 'repetition' | 'variation'>,
  run: Run,
): Reproduction | undefined {
  const first = run.requests.byId(evidence[0] ?? 0);
  if (!first || !/^https?:\/\//i.test(first.url)) return undefined;
  const cited = evidence.flatMap((id) => run.requests.byId(id) ?? []);
  const script =
    (repetition && repeat(repetition, run)) ??
    (showsAlone(first, kind) ? undefined : rateLimitScript(first, cited, repetition, run)) ??
    alone(first, run);
  const warning = warningOf(script, run);
  const unknown = unknownVariables(script.sent.map(({ request }) => request)).map(
    (name) => `# set ${name} first: petspec does not store the values of your own headers`,
  );
  return {
    script: [...unknown, ...drawn(variation, run), ...script.lines].join('\n'),
    ...(warning === undefined ? {} : { warning }),
  };
}

/** What drew a variation, if one is to blame: the same seed draws it again. */
function drawn(variation: Finding['variation'], { seed }: Run): string[] {
  return variation && seed !== undefined ? [`# drawn by --seed ${seed}: ${variation.join(', ')}`] : [];
}

/** Whether one answer shows it: that to a request which differs from the others that use up the limit. */
function showsAlone({ variations, status }: SentRequest, kind: Finding['kind']): boolean {
  return variations !== undefined && status !== 429 && kind !== 'sequence';
}

/** The request by itself, after the requests that it needs. */
function alone(request: SentRequest, run: Run): Script {
  const before = run.requests
    .all()
    .find(({ probe }) => probe === sharesTextWith(run.probes.get(request.probe)));
  const requests = before && before.id < request.id ? [before, request] : [request];
  return { lines: inTurn(requests, run), sent: allOf(requests, run) };
}

function repeat(repetition: Repetition, run: Run): Script | undefined {
  if (repetition.kind === 'after-refusal') return undefined;
  if (repetition.kind === 'again') {
    const request = run.requests.byId(repetition.exchange);
    if (!request) return undefined;
    const script = repetition.shows === 'limits' ? limitsOf : responsesOf;
    return {
      lines: script(request, repetition.times, run),
      sent: many(request, repetition.times, run),
    };
  }
  const requests = repetition.exchanges.flatMap((id) => run.requests.byId(id) ?? []);
  if (requests.length < repetition.exchanges.length) return undefined;
  if (repetition.kind === 'in-turn-and-again') return inTurnAndAgain(requests, repetition.times, run);
  const lines = linesOf(repetition, requests, run);
  const rounds = repetition.kind === 'until-same' ? ROUNDS : 1;
  return lines && { lines, sent: allOf(requests, run, rounds) };
}

type OfSeveral = Exclude<Repetition, { kind: 'in-turn-and-again' | 'again' | 'after-refusal' }>;

function linesOf(repetition: OfSeveral, requests: readonly SentRequest[], run: Run): string[] | undefined {
  switch (repetition.kind) {
    case 'record':
      return recordInTurn(requests, repetition, run);
    case 'together':
      return inParallel(requests, run);
    case 'until-same':
      return untilSame(requests, repetition, run);
    case 'in-turn':
      if (repetition.shows === 'entries') return entriesInTurn(requests, run);
      return repetition.shows === 'limits' ? limitsInTurn(requests, run) : inTurn(requests, run);
  }
}
