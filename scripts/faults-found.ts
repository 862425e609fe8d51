/**
 * Draws how many faults of the catalog are found after how many requests with the key, and after how many seconds:
 * `node dist/scripts/faults-found.js` writes docs/faults-found.svg from the recordings.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { max, min } from 'd3-array';
import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { packageRoot } from '../src/model/package-root.ts';
import { faults } from '../src/reference/faults/index.ts';
import { nameOf } from '../src/selfcheck/selfcheck.ts';
import { foundBefore, recordings } from '../test/recorded/recordings.ts';

export const CURVES = join(packageRoot, 'docs', 'faults-found.svg');

/** After what a fault of the catalog was found. */
interface FoundAfter {
  /** Requests with the key. */
  requests: number;
  seconds: number;
}

/** For each fault, what its run had sent by the request that its first finding shows, that one included. */
function foundAfter(): FoundAfter[] {
  const [runs, found] = [recordings(), foundBefore()];
  return faults.map((fault) => {
    const name = nameOf({ fault });
    const problems = found.get(name)?.problems ?? {};
    const shownBy = min(fault.violates, (id) => problems[id]?.[1][0]);
    const outcome = runs.get(name)?.();
    if (outcome === undefined || shownBy === undefined)
      throw new Error(`${name} is not recorded with its finding`);
    const until = outcome.exchanges.filter(({ id }) => id <= shownBy);
    const endedAt = max(until, ({ receivedAt }) => receivedAt) ?? outcome.startedAt;
    return {
      requests: until.filter(({ key }) => key === 'valid').length,
      seconds: (endedAt - outcome.startedAt) / 1_000,
    };
  });
}

const PANEL = { width: 460, height: 300 };
const MARGIN = { left: 50, right: 25, top: 40, bottom: 50 };

/** One curve with its axes. @param values when each fault was found; @param marks the values that are named */
function panel(
  name: string,
  values: readonly number[],
  x: ScaleContinuousNumeric<number, number>,
  marks: readonly number[],
): string {
  const inTurn = values.toSorted((one, other) => one - other);
  const [start, end] = x.domain() as [number, number];
  const foundBy = (value: number) => inTurn.filter((each) => each <= value).length;
  const y = scaleLinear([0, values.length], [PANEL.height - MARGIN.bottom, MARGIN.top]);
  const points = [...new Set([start, ...inTurn.filter((each) => each > start), end])];
  const path = line<number>(
    (each) => x(each),
    (each) => y(foundBy(each)),
  )
    .curve(curveStepAfter)
    .digits(1)(points);
  const named = marks.map((each) => {
    const [left, top] = [x(each), y(foundBy(each))];
    // Below the curve, which rises; at its end, where no room is left, above it.
    const [right, down, anchor] = each === end ? ([0, -10, 'middle'] as const) : ([9, 14, 'start'] as const);
    return [
      `<circle cx="${left.toFixed(1)}" cy="${top.toFixed(1)}" r="4"/>`,
      `<text x="${(left + right).toFixed(1)}" y="${(top + down).toFixed(1)}" style="text-anchor:${anchor}">${foundBy(each)}</text>`,
      `<text x="${left.toFixed(1)}" y="${y(0) + 18}">${each.toLocaleString('en')}</text>`,
    ].join('');
  });
  return [
    `<line x1="${MARGIN.left}" y1="${y(0)}" x2="${PANEL.width - MARGIN.right}" y2="${y(0)}"/>`,
    `<path d="${path}"/>`,
    ...named,
    `<text x="${PANEL.width / 2}" y="${PANEL.height - 10}">${name}</text>`,
  ].join('\n');
}

/** Both curves as an SVG image. */
export function renderCurves(): string {
  const found = foundAfter();
  const range = [MARGIN.left, PANEL.width - MARGIN.right];
  const requests = found.map((each) => each.requests);
  const seconds = found.map((each) => each.seconds);
  const lastRequests = max(requests) ?? 0;
  const lastSeconds = Math.ceil(max(seconds) ?? 0);
  const marksOf = (all: readonly number[], last: number) => [...all.filter((each) => each < last), last];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * PANEL.width} ${PANEL.height}" role="img" aria-labelledby="title">
<title id="title">How many of ${found.length} faults of the catalog are found after how many requests with the key, and after how many seconds</title>
<style>path,line{fill:none;stroke:#444;stroke-width:1.5}text{font:13px sans-serif;text-anchor:middle;fill:#222}</style>
<rect width="${2 * PANEL.width}" height="${PANEL.height}" fill="#fff"/>
<text x="${MARGIN.left}" y="18" style="text-anchor:start">faults found, of ${found.length}</text>
${panel('requests with the key', requests, scaleLog([1, lastRequests], range), marksOf([5, 20, 53, 110, 302], lastRequests))}
<g transform="translate(${PANEL.width})">
${panel('seconds, with a service that responds at once', seconds, scaleLinear([0, lastSeconds], range), marksOf([1], lastSeconds))}
</g>
</svg>
`;
}

if (process.argv[1]?.endsWith('faults-found.js') ?? false) writeFileSync(CURVES, renderCurves());
