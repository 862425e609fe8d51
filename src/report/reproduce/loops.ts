import { commandOf, showing, variable, wordOf } from './command.ts';
import { valueIn } from './in-order.ts';
import type { Sent } from './sent-request.ts';
import { type Run, stepsOf } from './steps.ts';

/** Seconds for one request. */
const PATIENCE = 10;

/** What a script keeps of an answer: all of it, and its status in the last line. */
function asked(request: Sent, run: Run): string {
  return commandOf(request, `-sSi --max-time ${PATIENCE} -w '\\n%{http_code}'`, run.settings);
}

/** Begins a loop: a list of all numbers would fill the memory of a shell where a limit is large. */
const forEach = (times: number) => `for ((n = 1; n <= ${times}; n++)); do`;

/** The number of an answer, its status line, and what it says of the limit. */
const LIMITS = `echo "$n: $(awk 'tolower($1) ~ /^(http\\/|x-ratelimit-|retry-after:)/ { sub(/\\r$/, ""); printf "%s ", $0 }' <<<"$answer")"`;

/** Nothing is sent with the key between a 429 and the end of its Retry-After. */
const STOP = `[ "\${answer##*$'\\n'}" != 429 ] || break`;

/** What a request needs before it can be sent, and the request. */
function prepared(request: Sent, run: Run): { before: string[]; request: Sent } {
  const { own, steps } = stepsOf([request], run);
  const needed = steps.slice(0, -1).map((each) => {
    const command = commandOf(each.request, '-sSf', run.settings);
    return `${each.gives?.name}=$(${command} | ${valueIn(each.gives?.field ?? '')}) &&`;
  });
  return { before: [...own.assignments(), ...needed], request: steps.at(-1)?.request ?? request };
}

/** Each of these once, and what it says of the limit. */
export function limitsInTurn(requests: readonly Sent[], run: Run): string[] {
  const { own, steps } = stepsOf(requests, run);
  return [
    ...own.assignments(),
    forEach(steps.length),
    '  case $n in',
    ...steps.map(({ request, gives }, index) => {
      const taken = gives ? ` && ${gives.name}=$(<<<"$answer" ${valueIn(gives.field)})` : '';
      return `    ${index + 1}) answer=$(${asked(request, run)})${taken} ;;`;
    }),
    '  esac || break',
    `  ${LIMITS}`,
    `  ${STOP}`,
    'done',
  ];
}

/** One request so many times, and what each answer says of the limit. */
export function limitsOf(sent: Sent, times: number, run: Run): string[] {
  const { before, request } = prepared(sent, run);
  return [
    ...before,
    forEach(times),
    `  answer=$(${asked(request, run)}) || break`,
    `  ${LIMITS}`,
    `  ${STOP}`,
    'done',
  ];
}

/** One request so many times, and how often each answer came. */
export function answersOf(sent: Sent, times: number, run: Run): string[] {
  const { before, request } = prepared(sent, run);
  return [
    ...before,
    forEach(times),
    `  answer=$(${asked(request, run)} 2>/dev/null)`,
    `  status=$? code=\${answer##*$'\\n'} body=\${answer#*$'\\r\\n\\r\\n'}`,
    `  echo "curl exit status $status, HTTP status $code: $(tr -d '\\r\\n' <<<"\${body%$'\\n'*}")"`,
    `  [ "$code" != 429 ] || break`,
    'done | sort | uniq -c',
  ];
}

/**
 * One request until the limit refuses it; the last answer is shown whole.
 * @param other the same with another query, sent in turn with it, where a limit that counts each by itself would show no refusal
 */
export function untilRefused(sent: Sent, other: Sent | undefined, times: number, run: Run): string[] {
  const { before, request } = prepared(sent, run);
  const [path = '', ...query] = request.url.split(/(?=\?)/);
  const others = other?.url.split(/(?=\?)/).slice(1) ?? [];
  const alternating = `  ((n % 2)) && query=${wordOf(others.join(''))} || query=${wordOf(query.join(''))}`;
  const asks = asked(other ? { ...request, url: `${path}${variable('query')}` } : request, run);
  return [
    ...before,
    forEach(times),
    ...(other ? [alternating] : []),
    `  answer=$(${asks}) || break`,
    `  ${LIMITS}`,
    `  ${STOP}`,
    'done',
    `echo "\${answer%$'\\n'*}"`,
  ];
}

/** One request until the limit refuses it, and once more when that is over. */
export function afterRefusal(sent: Sent, times: number, isDate: boolean, run: Run): string[] {
  const steps = untilRefused(sent, undefined, times, run);
  const { request } = prepared(sent, run);
  return [
    ...steps,
    ...(isDate ? DATED : [`after=$(grep -i '^retry-after:' <<<"$answer" | tr -dc 0-9)`]),
    `[ -n "$after" ] && echo "waiting $after s and one more" && sleep "$after" && sleep 1 &&`,
    commandOf(request, showing(request), run.settings),
  ];
}

/** Retry-After in seconds, or as a date, which the Date of the answer turns into seconds; for the date of GNU and of BSD. */
const DATED = [
  'seconds() { date -ud "$1" +%s 2>/dev/null || date -juf \'%a, %d %b %Y %T GMT\' "$1" +%s; }',
  `value() { grep -i "^$1:" <<<"$answer" | cut -d ' ' -f 2- | tr -d '\\r'; }`,
  'after=$(value retry-after) now=$(value date)',
  'if [[ ! $after =~ ^[0-9]+$ ]]; then',
  '  now=$([ -n "$now" ] && seconds "$now" || date +%s) after=$(seconds "$after")',
  '  [ -z "$after" ] || after=$((after > now ? after - now : 0))',
  'fi',
];
