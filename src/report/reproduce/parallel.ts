import { commandOf } from './command.ts';
import { valuesIn } from './in-order.ts';
import type { Sent } from './sent-request.ts';
import { type Run, stepsOf } from './steps.ts';

/** Rounds after which a value that is not the same twice is taken for one that never is. */
export const ROUNDS = 3;

/** The requests at one time. */
export function atOnce(requests: readonly Sent[], run: Run): string[] {
  const { own, steps } = stepsOf(requests, run);
  const command = parallel(
    steps.map(({ request }) => request),
    run,
  );
  return [...own.assignments(), command];
}

/** The requests at one time or in turn, until two of the answers have the same value of a field. */
export function untilSame(
  requests: readonly Sent[],
  { field, isTogether }: { field: string; isTogether: boolean },
  run: Run,
): string[] {
  const { own, steps } = stepsOf(requests, run);
  const sent = steps.map(({ request }) => request);
  const command = isTogether
    ? parallel(sent, run)
    : sent.map((each) => commandOf(each, "-sSf -w '\\n'", run.settings)).join(' && ');
  return [
    'seen= twice=',
    `for ((n = 1; n <= ${ROUNDS}; n++)); do`,
    ...own.assignments().map((each) => `  ${each}`),
    `  answers=$(${command}) || break`,
    `  echo "$answers"`,
    `  seen+=$'\\n'$(<<<"$answers" ${valuesIn(field)})`,
    '  twice=$(grep . <<<"$seen" | sort | uniq -d)',
    `  [ -z "$twice" ] || break`,
    'done',
    `echo "more than once: \${twice:-none}"`,
  ];
}

/** Several requests by one curl, which sends them at the same time. */
function parallel(requests: readonly Sent[], run: Run): string {
  const commands = requests.map((each) => commandOf(each, "-sSf -w '\\n'", run.settings));
  const words = commands.map((each) => each.slice('curl '.length));
  return `curl --parallel --parallel-immediate ${words.join(' --next ')}`;
}
