/** Prints the exchanges of a run against the reference with the named deviations. Usage: node dist/scripts/trace.js id... */
import { loadContract } from '../src/contract/load.ts';
import { conductBundled } from '../src/harness/bundled.ts';
import { DEFAULT_OPTIONS } from '../src/harness/options.ts';
import { makePlan } from '../src/harness/plan.ts';
import { faults } from '../src/reference/faults/index.ts';
import { variants } from '../src/reference/variants/index.ts';
import { allChecks } from '../suites/index.ts';

const ids = process.argv.slice(2);
const contract = loadContract();
const plan = makePlan(contract, allChecks(contract), DEFAULT_OPTIONS);
const deviations = [...faults, ...variants].filter(({ id }) => ids.includes(id));
const start = deviations.find((each) => each.start)?.start;
const run = await conductBundled(contract, plan, DEFAULT_OPTIONS, {
  deviations,
  ...(start ? { start: Date.parse(start) } : {}),
});
for (const each of run.exchanges) {
  const { limit, remaining, reset, retryAfter } = each.rate;
  console.log(
    each.id,
    `${((each.sentAt - run.startedAt) / 1000).toFixed(3)}-${((each.receivedAt - run.startedAt) / 1000).toFixed(3)}`,
    each.probe,
    each.response?.status ?? each.failure?.kind,
    `${remaining}/${limit}`,
    reset === undefined ? '' : `reset in ${(reset - each.receivedAt / 1000).toFixed(1)}`,
    retryAfter ?? '',
    each.inFlight,
  );
}
console.log(run.unsent);
for (const [id, finding] of Object.entries(run.findings))
  if (finding.status !== 'met' && finding.status !== 'observed')
    console.log(finding.status, id, finding.reason, finding.received ?? '', finding.cause ?? '');
