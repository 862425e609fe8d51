import { createsRecord } from '../../contract/resources.ts';
import type { Finding } from '../../model/finding.ts';
import { counted, type RequirementResult } from '../../model/report/report.ts';
import {
  isJoined,
  type OwnValue,
  type RepeatedRequest,
  type Reproduction,
  requestsIn,
  type TakenValue,
  type Unrepeatable,
} from '../../model/report/reproduction.ts';
import { reproductionOf } from '../../reproduction/reproduction.ts';
import type { ReproductionSource } from '../../reproduction/steps.ts';
import { boundedReproduction } from '../facts/bounds.ts';
import { shellWord } from '../facts/command-line.ts';
import { type CommandSettings, commandOf, isOtherKey, showing, unknownVariables } from './curl.ts';

export interface Printing extends Pick<ReproductionSource, 'contract'> {
  settings: CommandSettings;
  /** The seed that drew the variations of the run. */
  seed?: number | undefined;
  /** Whether the finding is of a run, which can be repeated, and not of a recording. */
  isRun?: true;
}

type Printed = NonNullable<RequirementResult['reproduce']>;

/** The script that shows a finding again, or why no script can. */
export function reproduced(
  finding: Finding,
  source: ReproductionSource,
  printing: Printing,
): Pick<RequirementResult, 'reproduce' | 'unrepeatable'> {
  const reproduction = reproductionOf(finding, source);
  if (typeof reproduction === 'string')
    return { unrepeatable: { because: reproduction, text: wordsOf(reproduction, finding, printing) } };
  const printed = reproduction && boundedReproduction(print(reproduction, finding, printing));
  return printed ? { reproduce: printed } : {};
}

const REASONS: Readonly<Record<Unrepeatable, string>> = {
  race: 'it shows between requests that go out together',
  removed: 'it is about a record that was removed since',
};

function wordsOf(because: Unrepeatable, { evidence }: Finding, { isRun }: Printing): string {
  const again = isRun ? '; a run with --only-violated looks for it again' : '';
  return `no command repeats exchange ${evidence[0]}: ${REASONS[because]}${again}`;
}

/** A reproduction as a script, with a warning if it changes or uses up something. */
export function print(
  reproduction: Reproduction,
  { variation }: Pick<Finding, 'variation'>,
  { settings, seed, contract }: Printing,
): Printed {
  const warning = warningOf(reproduction, { contract });
  const variableComments = unknownVariables(requestsIn(reproduction)).map(
    (name) =>
      `# set ${name} first: petspec does not store ${isOtherKey(name) ? 'keys' : 'the values of your own headers'}`,
  );
  // The same seed draws the variation again.
  const seedComment =
    variation && seed !== undefined ? [`# drawn by --seed ${seed}: ${variation.join(', ')}`] : [];
  return {
    script: [...variableComments, ...seedComment, ...linesOf(reproduction, settings)].join('\n'),
    warning,
  };
}

/** From this number of requests on, there is a warning. */
const MANY = 8;

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What the reproduction writes and uses up; undefined if it is harmless. */
function warningOf(
  reproduction: Reproduction,
  { contract }: Pick<ReproductionSource, 'contract'>,
): string | undefined {
  const repeated = 'repeated' in reproduction ? reproduction.repeated : [];
  const times = 'times' in reproduction ? reproduction.times : 1;
  const sent = requestsIn(reproduction).map((request) => ({
    request,
    times: repeated.includes(request) ? Math.ceil(times / repeated.length) : 1,
  }));
  const countOf = (isWanted: (request: RepeatedRequest) => boolean) =>
    sent.reduce((sum, entry) => sum + (isWanted(entry.request) ? entry.times : 0), 0);
  const creations = new Set(contract.operations.filter(createsRecord).map(({ id }) => id));
  const isCreation = ({ operation }: RepeatedRequest) => creations.has(operation);
  // A request that was refused writes only if the service accepts it now.
  const isRefused = ({ status = 0 }: RepeatedRequest) => status >= 400 && status < 500;
  const added = countOf((request) => isCreation(request) && !isRefused(request));
  const mayAdd = countOf((request) => isCreation(request) && isRefused(request));
  const isOther = (request: RepeatedRequest) => !isCreation(request) && !SAFE.has(request.method);
  const posted = countOf((request) => isOther(request) && request.method === 'POST');
  const changed = countOf((request) => isOther(request) && request.method !== 'POST');
  const total = countOf(() => true) + (reproduction.shape === 'after-wait' ? 1 : 0);
  const requests = counted(total, 'request');
  const usesUpLimit = 'usesUpLimit' in reproduction && reproduction.usesUpLimit;
  const parts = [
    ...(added > 0 ? [added === 1 ? 'adds a record' : `adds up to ${added} records`] : []),
    ...(added === 0 && mayAdd > 0 ? ['adds a record if the service accepts it'] : []),
    ...(posted > 0 ? ['may write something'] : []),
    ...(changed > 0 ? ['may change or remove a record'] : []),
    ...(usesUpLimit ? [`uses up the rate limit of the key with up to ${requests}`] : []),
    ...(!usesUpLimit && total >= MANY ? [`sends up to ${requests}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** Seconds for each request of a loop. */
const TIMEOUT_S = 10;

type RepeatedReproduction = Extract<Reproduction, { times: number }>;

/** A reproduction in bash and curl: a single command if that is enough. */
function linesOf(reproduction: Reproduction, settings: CommandSettings): string[] {
  const { own } = reproduction;
  switch (reproduction.shape) {
    case 'one':
      return inline(showingCommand(reproduction.request, settings), own);
    case 'in-turn':
      return [...assignments(own), ...sent(reproduction.requests, settings)];
    case 'until-refused':
      return [
        ...loop(reproduction, settings),
        ...(reproduction.shows === 'limits' ? ['echo "$response"'] : []),
      ];
    case 'after-wait':
      return [
        ...loop(reproduction, settings),
        ...(reproduction.isDate ? DATED : [`after=$(grep -i '^retry-after:' <<<"$response" | tr -dc 0-9)`]),
        `[ -n "$after" ] && echo "waiting $after s, then one more request" && sleep "$after" && sleep 1 &&`,
        ...reproduction.repeated.slice(-1).map((request) => showingCommand(request, settings)),
      ];
  }
}

/** A command that shows the whole response. @param isFollowed whether another command follows, so a line break ends the output */
function showingCommand(request: RepeatedRequest, settings: CommandSettings, isFollowed = false): string {
  return commandOf(request, `${showing(request)}${isFollowed ? " -w '\\n'" : ''}`, settings);
}

/** Sends requests one after another and shows each response. A request that needs a value is sent only if a response had it. */
function sent(requests: readonly RepeatedRequest[], settings: CommandSettings): string[] {
  const lines: string[] = [];
  for (const [index, request] of requests.entries()) {
    const { gives } = request;
    const command = showingCommand(request, settings, index < requests.length - 1);
    if (gives)
      lines.push(
        `response=$(${commandOf(request, `-sS ${showing(request)}`, settings)}); echo "$response"`,
        `${gives.name}=$(${filterFor(gives)}) &&`,
      );
    else if (isJoined(request, requests[index - 1]))
      lines.push(`${lines.pop()} \\`, command.replace(/^curl /, '  --next '));
    else lines.push(command);
  }
  return lines;
}

/** A filter that prints a value of a response, and fails if the response lacks it. */
function filterFor(value: TakenValue): string {
  if ('header' in value)
    return `tr -d '\\r' <<<"$response" | grep -i ${shellWord(`^${value.header}:`)} | cut -d ' ' -f 2- | grep .`;
  const name = value.field.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  return `grep -oE ${shellWord(`"${name}" *: *"?[-_[:alnum:]]+`)} <<<"$response" | grep -oE '[-_[:alnum:]]+$' | head -n 1 | grep .`;
}

/** Stops at a 429: the key must not be used until Retry-After is over. */
const STOP = `  grep -qE '^HTTP/[0-9.]+ 429' <<<"$response" && break`;

/** Prints the number of a response, its status line and its rate-limit headers. */
const LIMITS = `  echo "$n: $(grep -iE '^(HTTP/|x-ratelimit-|retry-after:)' <<<"$response" | tr -d '\\r' | tr '\\n' ' ')"`;

/** With a large limit, `for n in {1..N}` would fill the memory of a shell. */
function loop(
  { before, repeated, times, own, ...rest }: RepeatedReproduction,
  settings: CommandSettings,
): string[] {
  const isWhole = rest.shape === 'until-refused' && rest.shows === 'answers';
  const options = `-sSi --max-time ${TIMEOUT_S}`;
  return [
    ...assignments(own),
    ...sent(before, settings),
    `for ((n = 1; n <= ${Math.ceil(times / repeated.length)}; n++)); do`,
    ...repeated.flatMap((request) => [
      `  response=$(${commandOf(request, options, settings)})${isWhole ? '' : ' || break'}`,
      isWhole ? `  echo "$n: curl exit status $?"; echo "$response"` : LIMITS,
      STOP,
    ]),
    'done',
  ];
}

/** Expressions of bash that make a value. */
const FRESH_VALUES: Readonly<Record<OwnValue['as'], string>> = {
  any: '$RANDOM$RANDOM',
  digits: '$((RANDOM % 9000 + 1000))$((RANDOM % 9000 + 1000))',
  number: '1$RANDOM$RANDOM',
};

function assignments(values: readonly OwnValue[]): string[] {
  return values.map(({ name, as }) => `${name}=${FRESH_VALUES[as]}`);
}

/** A command in which a value that occurs once is made in place. */
function inline(command: string, values: readonly OwnValue[]): string[] {
  const [only] = values;
  const parts = command.split(`"$${only?.name}"`);
  if (!only || values.length > 1 || parts.length !== 2) return [...assignments(values), command];
  return [parts.join(`"${FRESH_VALUES[only.as]}"`)];
}

/** Converts Retry-After to seconds; a date counts from the Date of the response. Works with GNU and BSD date. */
const DATED = [
  'seconds() { date -ud "$1" +%s 2>/dev/null || date -juf \'%a, %d %b %Y %T GMT\' "$1" +%s; }',
  `value() { grep -i "^$1:" <<<"$response" | cut -d ' ' -f 2- | tr -d '\\r'; }`,
  'after=$(value retry-after) now=$(value date)',
  'if [[ ! $after =~ ^[0-9]+$ ]]; then',
  '  now=$([ -n "$now" ] && seconds "$now" || date +%s) after=$(seconds "$after")',
  '  [ -z "$after" ] || after=$((after > now ? after - now : 0))',
  'fi',
];
