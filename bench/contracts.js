// What it takes to load an interface of many operations, derive its checks and plan a run. Usage:
// node bench/contracts.js [operations...]
import { stringify } from 'yaml';
import { loadContract, parsed, readSources } from '../dist/src/contract/load.js';
import { DEFAULT_OPTIONS } from '../dist/src/run/options.js';
import { makePlan } from '../dist/src/run/plan.js';
import { allChecks } from '../dist/suites/index.js';

/** The bundled interface with further listings, until it has so many operations. */
function grown(operations) {
  const sources = readSources();
  const { openapi: document } = structuredClone(parsed(sources));
  const { length } = loadContract().operations;
  const { links: _, ...listed } = document.paths['/pets'].get.responses['200'];
  const listing = structuredClone(document.paths['/pets'].get);
  listing.responses['200'] = listed;
  for (let number = length; number < operations; number++)
    document.paths[`/list-${number}`] = { get: { ...listing, operationId: `list${number}` } };
  // Each place of an alias would be one more.
  return { ...sources, openapi: stringify(document, { aliasDuplicateObjects: false }) };
}

/** Seconds of CPU, and how many probes the plan has: the best of a few times. */
export function planned(operations) {
  const sources = grown(operations);
  let best = { cpu: Number.POSITIVE_INFINITY };
  for (let time = 0; time < 3; time++) {
    const begun = process.cpuUsage();
    const contract = loadContract(sources);
    const options = { ...DEFAULT_OPTIONS, baseUrl: 'http://127.0.0.1/v1', apiUrl: 'http://127.0.0.1' };
    const { probes } = makePlan(contract, allChecks(contract), options);
    const { user, system } = process.cpuUsage(begun);
    best = (user + system) / 1e6 < best.cpu ? { cpu: (user + system) / 1e6, probes: probes.length } : best;
  }
  return best;
}

if (process.argv[1] === import.meta.filename) {
  const counts = process.argv.slice(2).map(Number);
  for (const operations of counts.length > 0 ? counts : [10, 100, 1_000]) {
    const { cpu, probes } = planned(operations);
    process.stdout.write(
      `${operations} operations: ${probes} probes planned in ${cpu.toFixed(2)} s of CPU\n`,
    );
  }
}
