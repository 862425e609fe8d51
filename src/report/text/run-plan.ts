import { group } from 'd3-array';
import type { Contract, Gap, Operation } from '../../model/contract.ts';
import { expectedStatuses } from '../../model/http/expectation.ts';
import { rawNumber } from '../../model/json.ts';
import { isLate, type Late, namedStage, PHASES, type Probe, phaseOf } from '../../model/probe.ts';
import { counted } from '../../model/report/report.ts';
import { clip, visible } from '../../model/visible.ts';
import { fill } from '../../requests/learnt/learnt-values.ts';
import { OF_FORMAT } from '../../requests/plain-values.ts';
import { inPathOf, queryOf, spelled } from '../../requests/request.ts';
import { variedProbe } from '../../requests/varied-probe.ts';
import { writeJson } from '../../requests/write-body.ts';
import type { RunOptions } from '../../run/options.ts';
import { type UsefulExample, unplannedOf } from '../../run/plan/unplanned.ts';
import type { RunPlan } from '../../run/plan.ts';
import { costLine } from './announcement.ts';

/** The longest body that is printed, and the longest list of variations, in characters. */
const MAX_TEXT = 160;

/** The run plan: each request with its method, path, body and expected response, by phase, then the cost. */
export function renderPlan(plan: RunPlan, options: RunOptions, contract: Contract): string {
  const { operations } = contract;
  let last = '';
  const lines = plan.probes.flatMap((probe) => {
    if (probe.cleansUp !== undefined) return [];
    // A request that follows another is sent in the phase of the other.
    const phase = probe.follows ? last : phaseWords(probe, contract);
    const heading = phase === last ? [] : [phase];
    last = phase;
    const operation = operations.find(({ id }) => id === probe.operation);
    if (!operation) return heading;
    const { variations = [] } = probe;
    const sent = variedProbe(probe, operation, variations);
    const body = bodyOf(sent);
    const expected = expectedOf(sent);
    return [
      ...heading,
      `  ${operation.method} ${visible(targetOf(operation, sent))} -> ${expected}${whenSent(sent)}`,
      `      ${probe.id}: ${probe.title}`,
      ...(body === undefined ? [] : [`      ${visible(clip(body, MAX_TEXT))}`]),
      ...(variations.length === 0
        ? []
        : [`      varied by ${clip(variations.map(({ id }) => id).join(', '), MAX_TEXT)}`]),
    ];
  });
  return `${lines.join('\n')}\n\n${renderUnplanned(contract, plan, options)}${surplusLine(plan)}${costLine(plan, options)}\nids, and the last letters of names, are examples; nothing was sent\n`;
}

/** The condition on which a request is sent; empty for most requests. */
function whenSent({ onlyIf, isStart }: Probe): string {
  if (onlyIf) return ' (only if needed)';
  return isStart === 'if-needed' ? ' (at the start, if nothing before showed the service)' : '';
}

/** The expected response, in words. */
function expectedOf(sent: Probe): string {
  if (sent.expectation.kind !== 'open') return expectedStatuses(sent.expectation);
  return sent.spelling ? 'anything but records' : 'any but 5xx';
}

/** The requests that are not listed, because the limit, the budget and the responses decide which of them are sent. */
function surplusLine({ surplus, cost }: RunPlan): string {
  if (surplus.length === 0) return '';
  const { afterRecovery, exhausts } = cost;
  const place = exhausts
    ? 'in place of most repetitions until the limit is reached, as far as it leaves room'
    : 'after all these, as far as the budget leaves room';
  const bodies = surplus.some(({ body }) => body) ? 'wrong bodies, ' : '';
  const next =
    afterRecovery === 0
      ? ''
      : `after the recovery, one at a time, as far as the next window shows room: up to ${afterRecovery} more of these others, those that see findings again included\n`;
  return `${place}: up to ${surplus.length} others (${bodies}unusual queries and ids, other valid reads), then requests that the seed draws\n${next}`;
}

/** Why nothing can be judged. @param isListed whether the operations that are left out have been printed */
export function nothingPlanned({ isComplete }: Pick<Contract, 'isComplete'>, isListed = false): string {
  if (isComplete) return 'these options select no requests; nothing can be judged';
  const hint = isListed ? '' : '; --dry-run lists the operations that are left out, and why';
  return `no request can be planned, so nothing can be judged${hint}`;
}

/** The phase in which a probe is sent, in the words of the progress of a run. */
function phaseWords(probe: Probe, { operations }: Contract): string {
  const [first = probe.stage] = PHASES[phaseOf(probe)] ?? [];
  const named = namedStage(first, operations);
  return PHASE_WORDS[named] ?? named;
}

/** Path and query. A parameter whose value comes from a response keeps its name in braces. */
function targetOf(operation: Operation, probe: Probe): string {
  const { path } = operation;
  const filled = Object.entries(probe.path).reduce(
    (text, [name, value]) => {
      const example = isLate(value) ? (value.late === 'stated' ? value.value : undefined) : value;
      if (example === undefined) return text;
      return text.replace(`{${name}}`, () => inPathOf(operation, name, example));
    },
    probe.spelling ? spelled(path, probe.spelling) : path,
  );
  const query = queryOf(probe.query, operation);
  return query === '' ? filled : `${filled}?${query}`;
}

/** The body without white space and escapes, so that it is readable. */
function bodyOf({ body }: Probe): string | undefined {
  if (body === undefined) return undefined;
  if ('text' in body) return body.text === '' ? '(empty)' : body.text;
  return writeJson(fill(body.json, { resolve: exampleOf }), []);
}

/** An example of a value that is known only during the run. */
function exampleOf(late: Late): unknown {
  if (late.late === 'own' && late.as === 'text') return late.like;
  if (late.late === 'own' && late.as === 'one-of') return late.texts[0];
  if (late.late === 'own' && late.as === 'email') return 'petspec-xxxxxxxx@example.com';
  if (late.late === 'own' && late.as === 'uuid') return OF_FORMAT.uuid;
  if (late.late === 'created' || (late.late === 'response' && late.otherwise !== undefined))
    return fill(late.otherwise, { resolve: exampleOf });
  if (late.late !== 'reference' || late.as === 'value') return 1;
  return late.as === 'string' ? '1' : rawNumber('1.5');
}

/** The phases of a run in words, by their first stage. */
export const PHASE_WORDS: Readonly<Record<string, string>> = {
  first: 'first requests',
  find: 'reading lists',
  beside: 'sending requests together',
  create: 'creating',
  list: 'listing',
  read: 'reading',
  keys: 'trying wrong keys, and reading back',
  invalid: 'sending invalid requests, and reading back',
  messages: 'sending messages',
  remove: 'removing',
  exhaust: 'using up the rate limit',
  surplus: 'testing more',
  recover: 'recovering from the rate limit',
};

/** What a run by a user's document leaves out, and the example values that would reach the most operations. */
export function renderUnplanned(
  contract: Contract,
  plan: Pick<RunPlan, 'probes'>,
  options: RunOptions,
): string {
  const { gaps, useful } = unplannedOf(contract, plan, options);
  const lines = gapLines(gaps).map((line) => `  ${line}\n`);
  return lines.length === 0 ? '' : `not planned\n${lines.join('')}${hints(useful)}\n`;
}

/** The lines of a file for `--example` that would reach the most operations. */
function hints(useful: readonly UsefulExample[]): string {
  const lines = useful.map(({ operation, place, name, reached }) =>
    visible(`'${operation}': { ${place}: { ${name}: ... } } # ${counted(reached, 'operation')} more`),
  );
  if (lines.length === 0) return '';
  return `  a file with these values for --example would reach the most:\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

/** Operations that a line names. */
const MAX_NAMED = 3;

/** The parts of a document that petspec does not judge: a line for each reason, with its operations. */
export function gapLines(gaps: readonly Gap[]): string[] {
  const byReason = group(
    gaps,
    ({ reason, isWhole }) => `${reason}${isWhole ? '; nothing of it is judged' : ''}`,
  );
  return [...byReason].map(([reason, gapsOfReason]) => {
    const names = gapsOfReason.flatMap(({ operation }) => operation ?? []);
    const rest = names.length - MAX_NAMED;
    const more = rest > 0 ? ` and ${rest} more` : '';
    return visible(`${names.slice(0, MAX_NAMED).join(', ')}${more}: ${reason}`);
  });
}
