import { shellWord } from '../shell-word.ts';
import { commandOf, showing } from './command.ts';
import { withNewId } from './sent-id.ts';
import type { SentRequest } from './sent-request.ts';
import { isCreation, type Run, type Step, type Steps, stepsOf } from './steps.ts';
import { withVersion } from './version.ts';

/** A value that a script may look for: one without special characters of regular expressions. */
const PLAIN_VALUE = /^[-\w]+$/;

/** curl options for a request that has to succeed before the script continues. */
export const QUIETLY = '-sSf';
/** The same for a request that may be refused. */
const ANYHOW = '-sS';

/** Sends the requests in order and shows the last response. It takes values from the earlier responses. */
export function inTurn(requests: readonly SentRequest[], run: Run): string[] {
  const { own, steps } = stepsOf(requests, run);
  const lines = withNewId(steps, run).flatMap((each, index) => {
    const { lines: before, step } = withVersion(each, run);
    const isLast = index === steps.length - 1;
    if (isLast) return [...before, commandOf(step.request, showing(step.request), run.settings)];
    const command = quietly(step.request, run);
    return [...before, step.gives ? given(step, command) : command];
  });
  return own.before(chained(lines));
}

/** Sends the requests in order and counts the entries of each response. */
export function entriesInTurn(requests: readonly SentRequest[], run: Run): string[] {
  const { steps, own } = stepsOf(requests, run);
  return [
    `entries() { ${SPLIT} | grep -c '{' || true; }`,
    ...own.assignments(),
    ...chained(steps.map((step) => `response=$(${quietly(step.request, run)}) && entries <<<"$response"`)),
  ];
}

/**
 * Sends the requests in order and shows one record in each response. If a request creates the record, the script looks
 * for the new one. Undefined if the value is not safe to look for.
 */
export function recordInTurn(
  requests: readonly SentRequest[],
  { field, value }: { field: string; value: string },
  run: Run,
): string[] | undefined {
  if (!PLAIN_VALUE.test(value)) return undefined;
  const steps = stepsOf(requests, run, value);
  const giver = steps.steps.findIndex(({ gives }) => gives?.name === 'id');
  return [
    `record() { ${SPLIT} | grep -E ${shellWord(`"${escaped(field)}" *: *"?`)}"$id"'"?[ ,}]' || echo '(not in this response)'; }`,
    ...(giver < 0 ? [`id=${shellWord(value)}`] : []),
    ...steps.own.assignments(),
    ...chained(recordLines(steps, giver, run)),
  ];
}

/** Lines that show the record in each response. Responses from before the id is known are shown at the end. */
function recordLines({ steps }: Steps, giver: number, run: Run): string[] {
  const early = steps.slice(0, Math.max(0, giver));
  const lines = steps.map((step, index) => {
    const command = quietly(step.request, run);
    if (index < giver) return `response${index + 1}=$(${command})`;
    if (getsList(step.request, run)) {
      const id = index === giver ? `id=$(<<<"$response" ${valueIn(step.gives?.field ?? '')}) && ` : '';
      return `response=$(${command}) && ${id}record <<<"$response"`;
    }
    if (step.gives) return given(step, command);
    const isLast = index === steps.length - 1;
    return isLast ? commandOf(step.request, showing(step.request), run.settings) : command;
  });
  return [...lines, ...early.map((_, index) => `record <<<"$response${index + 1}"`)];
}

/** Shows a response and takes a value from it. */
function given({ gives }: Step, command: string): string {
  const taken = `${gives?.name}=$(<<<"$response" ${valueIn(gives?.field ?? '')})`;
  return `response=$(${command}) && echo "$response" && ${taken}`;
}

/** A filter that prints the first value of a field in JSON. It fails if the field is absent. */
export function valueIn(field: string): string {
  return `${valuesIn(field)} | head -n 1 | grep .`;
}

/** A filter that prints all values of a field in JSON, one per line, with every digit. */
export function valuesIn(field: string): string {
  return `grep -oE ${shellWord(`"${escaped(field)}" *: *"?[-_[:alnum:]]+`)} | grep -oE '[-_[:alnum:]]+$'`;
}

/** A filter that puts each entry of a list on its own line. */
const SPLIT = "tr -d '\\r\\n' | sed $'s/}, *{/},\\\\\\n{/g'";

/**
 * A command that prints the body of a response, and a line break. It fails if the request is refused, unless it was refused
 * in the run as well.
 */
export function quietly(request: SentRequest, run: Run): string {
  const { status = 0 } = request;
  const isRefused = status >= 400 && status < 500;
  return commandOf(request, `${isRefused ? ANYHOW : QUIETLY} -w '\\n'`, run.settings);
}

/** Whether a successful response to a request is a list. */
function getsList({ operation, ...rest }: SentRequest, run: Run): boolean {
  if (isCreation({ operation, ...rest }, run)) return false;
  const responses = run.contract.operations.find(({ id }) => id === operation)?.responses ?? [];
  return responses.some(({ status, schema }) => status.startsWith('2') && schema?.type === 'array');
}

function chained(lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === lines.length - 1 ? line : `${line} &&`));
}

/** Escapes a name for a regular expression. */
function escaped(name: string): string {
  return name.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
