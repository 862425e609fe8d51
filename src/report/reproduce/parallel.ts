import { quietly, valuesIn } from './in-order.ts';
import type { SentRequest } from './sent-request.ts';
import { type Run, stepsOf } from './steps.ts';

/** After this many rounds without a repeated value, a script gives up. */
export const ROUNDS = 3;

/** Sends the requests at the same time. */
export function inParallel(requests: readonly SentRequest[], run: Run): string[] {
  const { own, steps } = stepsOf(requests, run);
  const command = parallel(
    steps.map(({ request }) => request),
    run,
  );
  return [...own.assignments(), command];
}

/** Sends the requests, at the same time or in order, until two responses have the same value of a field. */
export function untilSame(
  requests: readonly SentRequest[],
  { field, isTogether }: { field: string; isTogether: boolean },
  run: Run,
): string[] {
  const { own, steps } = stepsOf(requests, run);
  const sent = steps.map(({ request }) => request);
  const command = isTogether ? parallel(sent, run) : sent.map((each) => quietly(each, run)).join(' && ');
  return [
    'seen= twice=',
    `for ((n = 1; n <= ${ROUNDS}; n++)); do`,
    ...own.assignments().map((each) => `  ${each}`),
    `  responses=$(${command}) || break`,
    `  echo "$responses"`,
    `  seen+=$'\\n'$(<<<"$responses" ${valuesIn(field)})`,
    '  twice=$(grep . <<<"$seen" | sort | uniq -d)',
    `  [ -z "$twice" ] || break`,
    'done',
    `echo "more than once: \${twice:-none}"`,
  ];
}

/** One curl command that sends several requests at the same time. */
function parallel(requests: readonly SentRequest[], run: Run): string {
  const commands = requests.map((each) => quietly(each, run));
  const words = commands.map((each) => each.slice('curl '.length));
  return `curl --parallel --parallel-immediate ${words.join(' --next ')}`;
}
