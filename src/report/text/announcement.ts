import type { Contract } from '../../model/contract.ts';
import { BEYOND_LIMIT } from '../../model/limits/request-counts.ts';
import { counted, pluralOf } from '../../model/report/report.ts';
import { visible } from '../../model/visible.ts';
import type { Cost } from '../../run/cost.ts';
import type { RunOptions } from '../../run/options.ts';
import type { RunPlan } from '../../run/plan.ts';

export function renderInterface({ title, version, set, requirements }: Contract): string {
  const musts = requirements.filter(({ level }) => level === 'must').length;
  return `${visible(title)} ${visible(version)}, requirement set ${set}: ${counted(requirements.length, 'requirement')}, ${musts} of them must\n`;
}

/**
 * What a run will cost its target, printed before the first request.
 * @param verb what happens to the target: `judging`, `would judge`
 */
export function renderStart(
  { basePath }: Pick<Contract, 'basePath'>,
  plan: RunPlan,
  options: RunOptions,
  verb = 'judging',
): string {
  if (options.baseUrl === undefined)
    return `${verb} the bundled reference in virtual time: ${costLine(plan, options)}\n`;
  const isElsewhere = basePath !== undefined && !options.baseUrl.endsWith(basePath);
  const hint =
    options.interface === undefined && isElsewhere
      ? `note: ${visible(options.baseUrl)} does not end with ${basePath}; the interface says that every address does\n`
      : '';
  return `${hint}${verb} ${visible(options.baseUrl)}${throughProxies(options)}: ${costLine(plan, options)}\n`;
}

/** The proxies of the run, without their passwords. */
function throughProxies({ network }: RunOptions): string {
  const proxies = new Set(Object.values(network?.proxies ?? {}).map((address) => new URL(address).origin));
  return proxies.size === 0 ? '' : ` through the proxy ${[...proxies].map(visible).join(' and ')}`;
}

/** The expected requests and wait of a run, and on a second line their maximum. */
export function costLine({ cost }: RunPlan, options: RunOptions): string {
  return `${expected(cost, options)}\n  ${atMost(cost, options)}`;
}

function expected(cost: Cost, options: RunOptions): string {
  const { planned, creations, noun } = cost;
  const messages = planned.messages === 0 ? 'no messages' : counted(planned.messages, 'message');
  return [
    `${withKey(cost, options)}${inNextWindow(cost)}`,
    ...(planned.wrongKeys === 0
      ? []
      : [
          `${planned.wrongKeys} with ${options.secondKey === undefined && options.secondKeys === undefined ? 'wrong' : 'other'} keys${moreWrongKeys(cost)}`,
        ]),
    ...(options.interface === undefined ? [messages] : [changes(cost, options)]),
    ...(options.interface === undefined && creations === 0 ? [`no ${pluralOf(noun)} added`] : []),
    ...wait(cost),
  ].join('; ');
}

/** The maximum of a run, whatever the target responds. */
function atMost({ planned, most, creations, noun }: Cost, options: RunOptions): string {
  return [
    `at most ${most.withKey} with the key`,
    ...(planned.wrongKeys === 0 ? [] : [`${most.wrongKeys} with wrong keys`]),
    ...(planned.messages === 0 ? [] : [counted(most.messages, 'message')]),
    ...(options.interface === undefined && creations > 0 ? [`${counted(creations, noun)} added`] : []),
    `${secondsInWords(most.seconds)} in all`,
  ].join(', ');
}

/** What a run by the user's own interface changes. */
function changes(cost: Cost, { write, sandbox }: RunOptions): string {
  const { creations, noun, leaves, unguarded } = cost;
  const inSandbox =
    write && unguarded
      ? `${counted(unguarded.requests, 'request')} to whatever is in the sandbox ${sandbox}, ${unguarded.removals} of them ${unguarded.removals === 1 ? 'a removal' : 'removals'}`
      : undefined;
  if (!write || creations === 0) return inSandbox ?? 'nothing added or changed';
  const removal = leaves ? 'removed at the end where the interface allows it' : 'removed at the end';
  const words = `at most ${counted(creations, noun)} created, changed, and ${removal}`;
  return inSandbox === undefined ? words : `${words}; ${inSandbox}`;
}

function withKey(cost: Cost, options: RunOptions): string {
  const { planned, expected, limit } = cost;
  const { exhaust, maxWait } = options;
  const isKeyless = options.interface !== undefined && (options.apiKey === undefined || cost.isKeyless);
  if (exhaust === 'day' && limit !== undefined)
    return `${counted(expected ?? limit, 'request')} with the key, the WHOLE limit of the day: nothing else can use this key until the day is over, and the run is incomplete unless that is within --max-wait ${maxWait} s`;
  // A service with a user's document may need no key.
  if (expected !== undefined)
    return `${counted(expected, 'request')}${isKeyless ? '' : ' with the key'}${windows(cost)}`;
  return `${counted(planned.withKey, 'request')} with the key, then as many as reach the limit and ${BEYOND_LIMIT} more`;
}

/** The requests in the window after the recovery. */
function inNextWindow({ afterRecovery }: Cost): string {
  return afterRecovery === 0 ? '' : `, then up to ${afterRecovery} more in the next window`;
}

/** The wrong keys in the window after the recovery. They are sent only if wrong keys do not count against the limit. */
function moreWrongKeys({ wrongKeysAfterRecovery: most }: Cost): string {
  return most === 0 ? '' : `, then up to ${most} more if they cost nothing`;
}

/** In how many windows the requests of a run are sent, and what share of the limit of a day they take. */
function windows({ further, expected = 0, limits = {} }: Cost): string {
  if (further === 0) return '';
  const { minute, day } = limits;
  const number = minute === undefined ? undefined : Math.ceil(expected / minute);
  const shares = [
    ...(number === undefined ? [] : [`in ${counted(number, 'window')}`]),
    ...(day === undefined ? [] : [`${Math.ceil((100 * expected) / day)}% of the ${day} requests of a day`]),
  ];
  return ` (${[`${further} of them test more`, ...shares].join(', ')})`;
}

/** How long a run waits for the limit of a conformant target. */
function wait({ wait: seconds }: Cost): string[] {
  if (seconds === undefined) return [];
  return [seconds === 0 ? 'no wait planned' : `waits up to ${secondsInWords(seconds)} for the limit`];
}

/** `45 s`, `8 min 30 s`, `17 min`. */
export function secondsInWords(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return [
    ...(minutes > 0 ? [`${minutes} min`] : []),
    ...(rest > 0 || minutes === 0 ? [`${rest} s`] : []),
  ].join(' ');
}
