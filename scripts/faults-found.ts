/**
 * How many faults of the catalogue a run finds with how many requests, and which requests find those that only further ones
 * show: `node dist/scripts/faults-found.js`. Writes docs/faults-found.svg, and prints the kinds of requests that are first.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scaleLinear, scaleLog } from 'd3-scale';
import { loadContract } from '../src/contract/load.ts';
import { isProblem } from '../src/model/finding.ts';
import { packageRoot } from '../src/model/package-root.ts';
import type { Fault } from '../src/reference/faults/fault.ts';
import { faults } from '../src/reference/faults/index.ts';
import { DEFAULT_OPTIONS, ofBundled, type RunOptions } from '../src/run/options.ts';
import { makePlan } from '../src/run/plan.ts';
import { conductChanged, optionsOfTrial, planOfTrial, seedFor } from '../src/selfcheck/selfcheck.ts';
import { allChecks } from '../suites/index.ts';

type Size = 'none' | 'free' | 'pro' | 'business';

const contract = loadContract();

/** The requests with the key of a run without an exhaustion, and on each plan. */
const SIZES: Readonly<Record<Size, number>> = {
  none: requestsOf({ exhaust: 'none' }),
  free: requestsOf({}),
  pro: requestsOf({ plan: 'pro' }),
  business: requestsOf({ plan: 'business' }),
};

function requestsOf(change: Partial<RunOptions>): number {
  const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, frugal: true, ...change });
  const { expected } = makePlan(contract, allChecks(contract), options).cost;
  if (expected === undefined) throw new Error('the limit of the plan is unknown');
  return expected;
}

/** The smallest run that finds a fault, and the kind of request that shows it first if only further ones do. */
async function foundBy(fault: Fault): Promise<{ size: Size | 'budget'; kind?: string }> {
  const subject = { fault };
  // The curve is that of frugal runs.
  if (fault.budget !== undefined || fault.isAfterRecovery) return { size: 'budget' };
  if (fault.plan !== undefined) {
    const run = await conductChanged(contract, planOfTrial(contract, subject), subject);
    const [first] = fault.violates.flatMap((id) => run.findings[id]?.evidence ?? []);
    const shown = run.exchanges.find(({ id }) => id === first)?.probe ?? 'no request';
    return { size: fault.plan, kind: kindOf(shown) };
  }
  const seeded = { ...optionsOfTrial(subject), seed: seedFor(subject, 2), exhaust: 'none' as const };
  const options = ofBundled(contract.ratePlans, seeded);
  const run = await conductChanged(
    contract,
    makePlan(contract, allChecks(contract), options),
    subject,
    options,
  );
  const isFound = fault.violates.some((id) => isProblem(run.findings[id] ?? { status: 'not-tested' }));
  return { size: isFound ? 'none' : 'free' };
}

/** What kind of request a probe is: drawn, or of an operation. */
function kindOf(probe: string): string {
  const [operation = '', name = ''] = probe.split(':');
  if (name.startsWith('generated')) return 'drawn';
  return `${operation}${name.includes('further') ? ', further' : ''}`;
}

const WIDTH = 640;
const HEIGHT = 320;
const MARGIN = { left: 60, right: 30, top: 30, bottom: 50 };

/** The curve of faults against requests, on a logarithmic scale. */
function renderCurve(points: readonly { requests: number; found: number }[], all: number): string {
  const x = scaleLog([40, 1_200], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([0, all], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const at = ({ requests, found }: (typeof points)[number]) =>
    `${x(requests).toFixed(1)},${y(found).toFixed(1)}`;
  const marks = points.map((each) => {
    const [left, top] = at(each).split(',').map(Number);
    return `<circle cx="${left}" cy="${top}" r="4"/><text x="${left}" y="${Number(top) - 10}">${each.found}</text><text x="${left}" y="${HEIGHT - 30}">${each.requests.toLocaleString('en')}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">
<title id="title">Faults of the catalog that a run finds with so many requests with the key: ${points.map(({ requests, found }) => `${found} with ${requests}`).join(', ')}, of ${all}</title>
<style>polyline,line{fill:none;stroke:#444;stroke-width:1.5}text{font:13px sans-serif;text-anchor:middle;fill:#222}</style>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<line x1="${MARGIN.left}" y1="${y(0)}" x2="${WIDTH - MARGIN.right}" y2="${y(0)}"/>
<polyline points="${points.map(at).join(' ')}"/>
${marks.join('\n')}
<text x="${WIDTH / 2}" y="${HEIGHT - 8}">requests with the key</text>
<text x="${MARGIN.left}" y="16" style="text-anchor:start">faults found, of ${all}</text>
</svg>
`;
}

const results: Awaited<ReturnType<typeof foundBy>>[] = [];
for (const fault of faults) results.push(await foundBy(fault));
const sizes = Object.keys(SIZES) as Size[];
const points = sizes.map((size, index) => ({
  requests: SIZES[size],
  found: results.filter(({ size }) => size !== 'budget' && sizes.indexOf(size) <= index).length,
}));
writeFileSync(join(packageRoot, 'docs', 'faults-found.svg'), renderCurve(points, faults.length));
const kinds = new Map<string, number>();
for (const { kind } of results) if (kind) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
for (const [kind, count] of [...kinds].sort((one, other) => other[1] - one[1]))
  console.log(`${count} faults: ${kind}`);
for (const { requests, found } of points)
  console.log(`${found} of ${faults.length} with ${requests} requests`);
