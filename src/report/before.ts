import type { RunOptions } from '../harness/options.ts';
import type { RunPlan } from '../harness/plan.ts';
import { visible } from './visible.ts';

/** What a run will cost its target, before the first request. */
export function renderStart(plan: RunPlan, options: RunOptions): string {
  if (options.baseUrl === undefined) return 'judging the bundled reference, in virtual time\n';
  const hint = /\/v1$/.test(options.baseUrl)
    ? ''
    : `note: ${visible(options.baseUrl)} does not end with /v1, as the interface says that addresses do\n`;
  return `${hint}judging ${visible(options.baseUrl)}${wayTo(options)}: ${costLine(plan, options)}\n`;
}

/** The proxies in between, without their passwords. */
function wayTo({ network }: RunOptions): string {
  const proxies = new Set(Object.values(network?.proxies ?? {}).map((address) => new URL(address).origin));
  return proxies.size === 0 ? '' : ` through the proxy ${[...proxies].map(visible).join(' and ')}`;
}

function costLine({ cost }: RunPlan, options: RunOptions): string {
  const { withKey, wrongKeys, messages, animals, exhausts } = cost;
  const use = exhausts ? `${withKey} requests, ${untilLimit(options)}` : `${withKey} requests`;
  return [
    `${use}, ${wrongKeys} with wrong keys`,
    `${animals === 0 ? 'no animals' : `at most ${animals} animals`} added`,
    `${messages} messages requested`,
    `longest wait ${options.maxWait} s`,
  ].join('; ');
}

function untilLimit({ exhaust, limits }: RunOptions): string {
  if (exhaust === 'minute') return 'and then up to the limit and two more';
  const day = limits?.day === undefined ? '' : ` (${limits.day} requests)`;
  return `and then ALL that is left of the day${day}: nothing else can use this key before the day is over`;
}

/** The plan, a line a request, and what it costs. */
export function renderPlan(plan: RunPlan, options: RunOptions): string {
  const width = Math.max(...plan.probes.map(({ id }) => id.length));
  const lines = plan.probes.map(({ id, stage, title, acceptable, onlyIf }) => {
    const due = acceptable.length > 0 ? acceptable.join(' or ') : 'any but 5xx';
    return `  ${stage.padEnd(9)} ${id.padEnd(width)}  ${title} -> ${due}${onlyIf ? ' (only if needed)' : ''}`;
  });
  return `${lines.join('\n')}\n\n${costLine(plan, options)}\nnothing was sent\n`;
}
