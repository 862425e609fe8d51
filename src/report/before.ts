import type { RunOptions } from '../harness/options.ts';
import type { RunPlan } from '../harness/plan.ts';
import { counted } from './model.ts';
import { visible } from './visible.ts';

/**
 * What a run will cost its target, before the first request.
 * @param verb what is said of the target: that it is judged, or would be
 */
export function renderStart(plan: RunPlan, options: RunOptions, verb = 'judging'): string {
  if (options.baseUrl === undefined) return `${verb} the bundled reference, in virtual time\n`;
  const hint = /\/v1$/.test(options.baseUrl)
    ? ''
    : `note: ${visible(options.baseUrl)} does not end with /v1, as the interface says that addresses do\n`;
  return `${hint}${verb} ${visible(options.baseUrl)}${wayTo(options)}: ${costLine(plan, options)}\n`;
}

/** The proxies in between, without their passwords. */
function wayTo({ network }: RunOptions): string {
  const proxies = new Set(Object.values(network?.proxies ?? {}).map((address) => new URL(address).origin));
  return proxies.size === 0 ? '' : ` through the proxy ${[...proxies].map(visible).join(' and ')}`;
}

function costLine({ cost }: RunPlan, options: RunOptions): string {
  const { withKey, wrongKeys, messages, animals, exhausts } = cost;
  return [
    `${counted(withKey, 'request')} with the key${exhausts ? `, ${untilLimit(cost, options)}` : ''}`,
    `${wrongKeys} with wrong keys`,
    messages === 0 ? 'no messages' : `${counted(messages, 'message')} requested`,
    animals === 0 ? 'no animals added' : `at most ${counted(animals, 'animal')} added`,
    `${exhausts ? 'longest wait' : 'no wait planned, the longest'} ${options.maxWait} s`,
  ].join('; ');
}

function untilLimit({ limit }: RunPlan['cost'], { exhaust, maxWait }: RunOptions): string {
  if (exhaust === 'minute')
    return `then on to the limit${limit === undefined ? '' : ` of ${limit}`} and two beyond it`;
  const all = limit === undefined ? '' : ` (${counted(limit, 'request')})`;
  return `then ALL that is left of the day${all}: nothing else can use this key before the day is over, and the run ends incomplete unless that is within --max-wait ${maxWait} s`;
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
