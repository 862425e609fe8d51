import { commandOf, showing, variable, wordOf } from './command.ts';
import { QUIETLY, valueIn } from './in-order.ts';
import type { SentRequest } from './sent-request.ts';
import { type Run, stepsOf } from './steps.ts';

/** The timeout of one request. */
const TIMEOUT_S = 10;

/** A command that prints a whole response, and its status as the last line. */
function asked(request: SentRequest, run: Run): string {
  return commandOf(request, `-sSi --max-time ${TIMEOUT_S} -w '\\n%{http_code}'`, run.settings);
}

/** The start of a loop. `for n in {1..N}` would fill the memory of a shell with a large limit. */
const forEach = (times: number) => `for ((n = 1; n <= ${times}; n++)); do`;

/** Prints the number of a response, its status line, and its rate-limit headers. */
const LIMITS = `echo "$n: $(awk 'tolower($1) ~ /^(http\\/|x-ratelimit-|retry-after:)/ { sub(/\\r$/, ""); printf "%s ", $0 }' <<<"$response")"`;

/** Stops at a 429: nothing may be sent with the key until Retry-After is over. */
const STOP = `[ "\${response##*$'\\n'}" != 429 ] || break`;

/** The lines that a request needs before it can be sent, and the request. */
function prepared(request: SentRequest, run: Run): { before: string[]; request: SentRequest } {
  const { own, steps } = stepsOf([request], run);
  const needed = steps.slice(0, -1).map((each) => {
    const command = commandOf(each.request, QUIETLY, run.settings);
    return `${each.gives?.name}=$(${command} | ${valueIn(each.gives?.field ?? '')}) &&`;
  });
  return { before: [...own.assignments(), ...needed], request: steps.at(-1)?.request ?? request };
}

/**
 * Sends the requests in order and shows the rate-limit headers.
 * @param times how many to send, at least each once; the last one is sent again
 */
export function limitsInTurn(requests: readonly SentRequest[], run: Run, times = 0): string[] {
  const { own, steps } = stepsOf(requests, run);
  const isAgain = (index: number) => index === steps.length - 1 && times > steps.length;
  return [
    ...own.assignments(),
    forEach(Math.max(times, steps.length)),
    '  case $n in',
    ...steps.map(({ request, gives }, index) => {
      const taken = gives ? ` && ${gives.name}=$(<<<"$response" ${valueIn(gives.field)})` : '';
      return `    ${isAgain(index) ? '*' : index + 1}) response=$(${asked(request, run)})${taken} ;;`;
    }),
    '  esac || break',
    `  ${LIMITS}`,
    `  ${STOP}`,
    'done',
  ];
}

/**
 * Sends one request this many times and shows the rate-limit headers. Stops when the limit refuses it.
 * @param other the same request with another query, sent alternately, in case the service counts each query by itself
 */
export function limitsOf(sent: SentRequest, times: number, run: Run, other?: SentRequest): string[] {
  const { before, request } = prepared(sent, run);
  const [path = '', ...query] = request.url.split(/(?=\?)/);
  const others = other?.url.split(/(?=\?)/).slice(1) ?? [];
  const alternating = `  ((n % 2)) && query=${wordOf(others.join(''))} || query=${wordOf(query.join(''))}`;
  const asks = asked(other ? { ...request, url: `${path}${variable('query')}` } : request, run);
  return [
    ...before,
    forEach(times),
    ...(other ? [alternating] : []),
    `  response=$(${asks}) || break`,
    `  ${LIMITS}`,
    `  ${STOP}`,
    'done',
  ];
}

/** Sends one request this many times and counts the different responses. */
export function responsesOf(sent: SentRequest, times: number, run: Run): string[] {
  const { before, request } = prepared(sent, run);
  return [
    ...before,
    forEach(times),
    `  response=$(${asked(request, run)} 2>/dev/null)`,
    `  status=$? code=\${response##*$'\\n'} body=\${response#*$'\\r\\n\\r\\n'}`,
    `  echo "curl exit status $status, HTTP status $code: $(tr -d '\\r\\n' <<<"\${body%$'\\n'*}")"`,
    `  [ "$code" != 429 ] || break`,
    'done | sort | uniq -c',
  ];
}

/** The same until the limit refuses it; then shows the last response. */
export function untilRefused(sent: SentRequest, times: number, run: Run, other?: SentRequest): string[] {
  return [...limitsOf(sent, times, run, other), `echo "\${response%$'\\n'*}"`];
}

/** Sends one request until the limit refuses it, and once more after Retry-After. */
export function afterRefusal(sent: SentRequest, times: number, isDate: boolean, run: Run): string[] {
  const steps = untilRefused(sent, times, run);
  const { request } = prepared(sent, run);
  return [
    ...steps,
    ...(isDate ? DATED : [`after=$(grep -i '^retry-after:' <<<"$response" | tr -dc 0-9)`]),
    `[ -n "$after" ] && echo "waiting $after s, then one more request" && sleep "$after" && sleep 1 &&`,
    commandOf(request, showing(request), run.settings),
  ];
}

/** Converts Retry-After to seconds, also from a date, by the Date of the response. Works with GNU and BSD date. */
const DATED = [
  'seconds() { date -ud "$1" +%s 2>/dev/null || date -juf \'%a, %d %b %Y %T GMT\' "$1" +%s; }',
  `value() { grep -i "^$1:" <<<"$response" | cut -d ' ' -f 2- | tr -d '\\r'; }`,
  'after=$(value retry-after) now=$(value date)',
  'if [[ ! $after =~ ^[0-9]+$ ]]; then',
  '  now=$([ -n "$now" ] && seconds "$now" || date +%s) after=$(seconds "$after")',
  '  [ -z "$after" ] || after=$((after > now ? after - now : 0))',
  'fi',
];
