import { shellWord } from '../shell-word.ts';
import { commandOf, showing } from './command.ts';
import type { Sent } from './sent-request.ts';
import { isCreation, type Run, type Step, type Steps, stepsOf } from './steps.ts';

/** A value that a script may look for: nothing that a regular expression takes for more than itself. */
const PLAIN_VALUE = /^[-\w]+$/;

/** curl for a request that has to succeed before the script goes on: a refusal ends it. */
const QUIETLY = '-sSf';

/** The requests in turn, the last one with all of its answer; what it needs of the others is taken from their answers. */
export function inTurn(requests: readonly Sent[], run: Run): string[] {
  const steps = stepsOf(requests, run);
  const lines = steps.steps.map((step, index) => {
    if (index === steps.steps.length - 1) return commandOf(step.request, showing(step.request), run.settings);
    return `${earlier(step, run)} &&`;
  });
  return steps.own.before(lines);
}

/** The requests in turn, and how many entries each answer has. */
export function entriesInTurn(requests: readonly Sent[], run: Run): string[] {
  const { steps, own } = stepsOf(requests, run);
  return [
    `entries() { ${SPLIT} | grep -c '{' || true; }`,
    ...own.assignments(),
    ...chained(steps.map((step) => `answer=$(${quietly(step.request, run)}) && entries <<<"$answer"`)),
  ];
}

/**
 * The requests in turn, and what each answer says of one record: where a request adds the record, the one that it adds
 * now is looked for. Undefined where the record cannot be looked for.
 */
export function recordInTurn(
  requests: readonly Sent[],
  { field, value }: { field: string; value: string },
  run: Run,
): string[] | undefined {
  if (!PLAIN_VALUE.test(value)) return undefined;
  const steps = stepsOf(requests, run, value);
  const giver = steps.steps.findIndex(({ gives }) => gives?.name === 'id');
  return [
    `record() { ${SPLIT} | grep -E ${shellWord(`"${escaped(field)}" *: *"?`)}"$id"'"?[ ,}]' || echo '(not in this answer)'; }`,
    ...(giver < 0 ? [`id=${shellWord(value)}`] : []),
    ...steps.own.assignments(),
    ...chained(recordLines(steps, giver, run)),
  ];
}

/** What shows each answer; of those that came before the record had its id, at the end. */
function recordLines({ steps }: Steps, giver: number, run: Run): string[] {
  const early = steps.slice(0, Math.max(0, giver));
  const lines = steps.map((step, index) => {
    const command = quietly(step.request, run);
    if (index < giver) return `answer${index + 1}=$(${command})`;
    if (isList(step.request, run)) {
      const id = index === giver ? `id=$(<<<"$answer" ${valueIn(step.gives?.field ?? '')}) && ` : '';
      return `answer=$(${command}) && ${id}record <<<"$answer"`;
    }
    if (step.gives) return given(step, command);
    const isLast = index === steps.length - 1;
    return isLast ? commandOf(step.request, showing(step.request), run.settings) : command;
  });
  return [...lines, ...early.map((_, index) => `record <<<"$answer${index + 1}"`)];
}

/** A step before the last. */
function earlier(step: Step, run: Run): string {
  if (step.gives) return given(step, quietly(step.request, run));
  return quietly(step.request, run);
}

/** Takes a value from an answer, which is shown all the same. */
function given({ gives }: Step, command: string): string {
  const taken = `${gives?.name}=$(<<<"$answer" ${valueIn(gives?.field ?? '')})`;
  return `answer=$(${command}) && echo "$answer" && ${taken}`;
}

/** What takes the first value of a field from JSON, and fails where there is none. */
export function valueIn(field: string): string {
  return `${valuesIn(field)} | head -n 1 | grep .`;
}

/** What takes all values of a field from JSON, one a line, digit by digit. */
export function valuesIn(field: string): string {
  return `grep -oE ${shellWord(`"${escaped(field)}" *: *"?[-_[:alnum:]]+`)} | grep -oE '[-_[:alnum:]]+$'`;
}

/** Entries of a list a line each. */
const SPLIT = "tr -d '\\r\\n' | sed $'s/}, *{/},\\\\\\n{/g'";

function quietly(request: Sent, run: Run): string {
  return commandOf(request, `${QUIETLY} -w '\\n'`, run.settings);
}

/** Whether the success of a request is a list. */
function isList({ operation, ...rest }: Sent, run: Run): boolean {
  if (isCreation({ operation, ...rest }, run)) return false;
  const responses = run.contract.operations.find(({ id }) => id === operation)?.responses ?? [];
  return responses.some(({ status, schema }) => status.startsWith('2') && schema?.type === 'array');
}

function chained(lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === lines.length - 1 ? line : `${line} &&`));
}

/** A name inside a regular expression. */
function escaped(name: string): string {
  return name.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
