import { describe, expect, test } from 'vitest';
import { exchange } from '../../../../test/exchanges/exchange.ts';
import type { Exchange } from '../../../model/exchange.ts';
import type { LimiterExclusion, LimiterResult } from '../../../model/report/limiter.ts';
import { latencies, renderLatencyChart } from './latency-chart.ts';
import { timeAxis } from './time-axis.ts';
import { renderWindowChart, windowModel } from './window-chart.ts';
import { scalesOf } from './window-drawing.ts';
import { type WindowSeries, windowSeries } from './window-series.ts';

function at(id: number, sentAt: number, changes: Partial<Exchange> = {}): Exchange {
  return exchange({
    id,
    probe: 'p',
    stage: 'list',
    url: 'http://x/v1/pets',
    sentAt,
    receivedAt: sentAt + 10,
    response: { status: 200, headers: [], body: '[]' },
    rate: { limit: 60, remaining: 60 - id },
    ...changes,
  });
}

const operationsOn = (series: WindowSeries | undefined) => [
  ...new Set(series?.line.map(({ operation }) => operation)),
];

const refusal = { status: 429, headers: [], body: '{}' };

/** Twenty requests in two seconds, a refusal, a wait of a minute, one more. */
const run = [
  ...Array.from({ length: 20 }, (_, index) => at(index + 1, index * 100)),
  at(21, 2_000, { response: refusal, rate: { limit: 60, remaining: 0, retryAfter: 58 } }),
  at(22, 62_010, { rate: { limit: 60, remaining: 59 } }),
];

test('a window may have more responses than a function takes arguments', () => {
  const series = windowSeries(run);
  const [first] = series?.line ?? [];
  if (!series || !first) throw new Error('no series');
  const line = [...Array<typeof first>(150_000).fill(first), { ...first, remaining: 80 }];
  const frame = { width: 100, height: 100, left: 0, right: 0, top: 0, bottom: 0 };
  const { y } = scalesOf({ ...series, line }, timeAxis(run, 0, 1_000), frame);
  expect([y(80), y(0)]).toEqual([0, 100]);
});

describe('the time axis', () => {
  test('gives a wait a fixed width, and the rest to busy stretches', () => {
    const { stretches, x, ticks } = timeAxis(run, 0, 1_000);
    expect(stretches.map(({ kind }) => kind)).toEqual(['busy', 'wait', 'busy']);
    expect(stretches.map(({ x0, x1 }) => Math.round(x1 - x0))).toEqual([709, 260, 31]);
    expect([x(0), x(62_020)]).toEqual([0, 1_000]);
    expect(x(1_000)).toBeGreaterThan(300);
    expect(ticks.map(({ label }) => label)).toContain('1.0 s');
  });

  test('has no wait without a pause', () => {
    expect(timeAxis(run.slice(0, 20), 0, 100).stretches.map(({ kind }) => kind)).toEqual(['busy']);
    const slow = Array.from({ length: 50 }, (_, index) => at(index + 1, index * 1_500));
    expect(timeAxis(slow, 0, 100).stretches).toHaveLength(1);
  });

  test('distinguishes a slow response from a wait', () => {
    const hung = [...run.slice(0, 20), at(21, 2_000, { receivedAt: 12_000 }), at(22, 12_010)];
    const { stretches } = timeAxis(hung, 0, 100);
    expect(stretches.map(({ kind, label }) => [kind, label])).toEqual([
      ['busy', ''],
      ['stall', '10 s for a response'],
      ['busy', ''],
    ]);
  });

  test('distinguishes omitted exchanges from a wait', () => {
    const kept = [...run.slice(0, 5), at(400, 30_000), at(401, 30_100)];
    expect(timeAxis(kept, 0, 100).stretches.map(({ kind }) => kind)).toEqual(['busy', 'omitted', 'busy']);
  });

  test.each([[[]], [[at(1, 5)]], [[at(1, Number.NaN)]]])('survives a run of nearly nothing', (few) => {
    for (const { x0, x1 } of timeAxis(few, 0, 100).stretches) expect(x1).toBeGreaterThanOrEqual(x0);
  });
});

describe('the window', () => {
  test('says why Remaining rises in mid-curve, and nothing where it only falls', () => {
    const again = run.slice(0, 20).map((each, index) => ({
      ...each,
      id: each.id + 22,
      sentAt: 70_000 + index * 100,
      receivedAt: 70_010 + index * 100,
    }));
    const [first, ...rest] = [...run.slice(0, 20), ...again];
    if (!first) throw new Error('no requests');
    const page = String(renderWindowChart([first, ...rest], 40));
    expect(page).toContain('In between it rises from 40 to 59: a window ended, or the limit was refilled.');
    expect(page.match(/new window or refill/g)).toHaveLength(1);
    expect(String(renderWindowChart(run, 22))).not.toContain('new window or refill');
  });

  test('ends in a refusal and opens again', () => {
    const series = windowSeries(run);
    expect(series?.line.slice(-2).map(({ kind }) => kind)).toEqual(['refused', 'recovered']);
    expect(series).toMatchObject({ limit: 60, others: [] });
  });

  test('is one line if operations share a counter, else one operation', () => {
    const shared = run.map((each, index) => (index % 3 === 0 ? { ...each, operation: 'getPet' } : each));
    expect(operationsOn(windowSeries(shared))).toEqual(['getPet', 'listPets']);
    const apart = run.flatMap((each) => [
      each,
      at(100 + each.id, each.sentAt + 20, { operation: 'getPet', rate: { limit: 60, remaining: 58 } }),
    ]);
    expect(operationsOn(windowSeries(apart))).toEqual(['listPets']);
    expect(windowSeries(apart)?.others).toHaveLength(22);
  });

  test('leaves out the counter of another address', () => {
    const messages = [1, 2, 3, 4].map((index) =>
      at(30 + index, 1_550 + index, {
        operation: 'sendMessage',
        address: 'apiUrl',
        rate: { limit: 60, remaining: 60 - index },
      }),
    );
    const mixed = run.map((each, index) => (index % 3 === 0 ? { ...each, operation: 'getPet' } : each));
    const series = windowSeries([...mixed, ...messages]);
    expect(operationsOn(series)).toEqual(['getPet', 'listPets']);
    expect(series?.others).toHaveLength(4);
  });

  test('is described in words', () => {
    expect(renderWindowChart(run, 22)?.toString()).toContain(
      'Remaining goes from 59 to 40 under a limit of 60. Then a request is refused with 429 and a Retry-After of 58 s. After a wait of 1 min the next request is accepted, with 59 remaining.',
    );
  });

  test('says that pauses are not drawn to scale, if it has any', () => {
    expect(String(renderWindowChart(run, 22))).toContain('Pauses are not drawn to scale.');
    expect(String(renderWindowChart(run.slice(0, 20), 20))).not.toContain('Pauses');
  });

  test('is not drawn if no response has its headers', () => {
    expect(renderWindowChart(run.map((each) => ({ ...each, rate: {} })).slice(0, 20), 20)).toBeUndefined();
    expect(
      renderWindowChart(
        run.map((each) => ({ ...each, key: 'unknown' as const })),
        22,
      ),
    ).toBeUndefined();
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1e300, 1e300, -5])(
    'survives a Remaining of %d',
    (remaining) => {
      const spoilt = run.map((each, index) =>
        index === 3 ? { ...each, rate: { limit: remaining, remaining } } : each,
      );
      const drawn = renderWindowChart(spoilt, 22)?.toString();
      expect(drawn).toContain('<path class="line"');
      expect(drawn).not.toMatch(/(?:d|x|y|cx|cy)="[^"]*(?:NaN|Infinity)/);
    },
  );
});

describe('latency', () => {
  test('is measured by operation', () => {
    const slow = at(30, 0, { operation: 'getPet', receivedAt: 900 });
    const { response: _, ...lost } = at(31, 0, { operation: 'getPet' });
    expect(latencies([...run, slow, lost])).toMatchObject([
      { operation: 'listPets', median: 10, longest: 10, unanswered: 0 },
      { operation: 'getPet', median: 900, times: [900], unanswered: 1 },
    ]);
  });

  test('has a logarithmic axis if one response takes far longer than the others', () => {
    const slow = at(30, 0, { receivedAt: 9_000 });
    expect(renderLatencyChart(run)?.toString()).not.toContain('logarithmic');
    expect(renderLatencyChart([...run, slow])?.toString()).toContain('logarithmic');
  });

  test('says how many operations it leaves out', () => {
    const of = (count: number) =>
      String(
        renderLatencyChart(
          Array.from({ length: count }, (_, index) => at(index, 0, { operation: `read${index}` })),
        ),
      );
    expect(of(20)).not.toContain('are shown');
    expect(of(21)).toContain('Only the first 20 of 21 operations are shown.');
  });

  test('names five operations without a response, and counts the others', () => {
    const lost = Array.from({ length: 7 }, (_, index) => {
      const { response: _response, ...each } = at(index, 0, { operation: `read${index}` });
      return each;
    });
    const drawn = String(renderLatencyChart([...run, ...lost]));
    expect(drawn).toContain('<code>read4</code> and 2 more.');
    expect(drawn).not.toContain('<code>read5</code>');
  });

  test('is not drawn without responses', () => {
    expect(renderLatencyChart([])).toBeUndefined();
  });
});

describe('the honest limiter beside the window', () => {
  const limiter: LimiterResult = {
    window: 'minute',
    limit: 60,
    model: 'fixed window',
    explained: true,
    expected: run.map(({ id, rate }) => ({
      exchange: id,
      from: rate.remaining ?? 0,
      to: rate.remaining ?? 0,
    })),
  };
  const series = windowSeries(run);
  if (!series) throw new Error('the run has a window');
  const cannotFollow = (kind: LimiterExclusion['kind'], exchange: number, from: number, to = from) => ({
    ...limiter,
    explained: false,
    expected: limiter.expected.filter((each) => each.exchange < exchange),
    excludedBy: { exchange, kind, from, to },
  });

  test('is a line of its own in the chart, in its legend and in its words', () => {
    const drawn = renderWindowChart(run, 22, [limiter])?.toString();
    expect(drawn).toContain('model: fixed window');
    expect(
      drawn?.match(/<desc[^>]*>[^<]*An honest limiter counts like this: fixed window\.<\/desc>/g),
    ).toHaveLength(2);
    // Two stretches in each of two sizes, and the legend.
    expect(drawn?.match(/<path class="model"/g)).toHaveLength(5);
    expect(drawn).not.toContain('where it cannot follow');
  });

  test('is not said to explain what took too long to decide', () => {
    const drawn = renderWindowChart(run, 22, [{ ...limiter, explained: false }])?.toString();
    expect(drawn).toContain('took too long to decide. The nearest: fixed window.');
    expect(drawn).not.toContain('An honest limiter counts like this');
    expect(drawn).not.toContain('class="excluded"');
  });

  test('follows what is observed as closely as the limiter allows', () => {
    const vague = limiter.expected.map((each) => ({ ...each, from: 0, to: 45 }));
    const { line } = windowModel(series, [{ ...limiter, expected: vague }]) ?? {};
    expect(line?.slice(12, 17).map(({ remaining }) => remaining)).toEqual([45, 45, 45, 44, 43]);
  });

  test.each([
    ['remaining' as const, 50, 52, 'expected 50 to 52', 'it would say 50 to 52 remaining, not 55'],
    ['let-through' as const, 0, 0, 'expected 429', 'it would refuse the request with 429'],
    ['refused' as const, 3, 3, 'expected no 429', 'it would accept the request'],
    ['reset' as const, 90, 91, 'expected another Reset', 'it would state another Reset'],
  ])('has a mark with a text where it cannot follow: %s', (kind, from, to, label, words) => {
    const drawn = renderWindowChart(run, 22, [cannotFollow(kind, 5, from, to)])?.toString() ?? '';
    const mark = />(expected[^<]*)<\/text>/g;
    expect([...drawn.matchAll(mark)].map(([, text]) => text)).toEqual([label, label]);
    expect(drawn).toContain('The nearest (fixed window) explains 4 responses of the line.');
    expect(drawn).toContain(`At exchange 5 ${words}`);
    expect(drawn).toContain('where it cannot follow');
  });

  test('is without a mark if the chart has no point for what it does not explain', () => {
    const drawn = renderWindowChart(run, 22, [cannotFollow('refused', 99, 3)])?.toString();
    expect(drawn).toContain('At exchange 99 it would accept the request');
    expect(drawn).not.toContain('class="excluded"');
  });

  test('is the one that counts the same requests under the same limit', () => {
    const day = { ...limiter, window: 'day' as const, limit: 1_000, model: 'sliding log' };
    const messages = { ...limiter, model: 'token bucket', expected: [{ exchange: 99, from: 1, to: 1 }] };
    expect(windowModel(series, [day, messages, limiter])?.name).toBe('fixed window');
    expect(windowModel(series, [day, messages])).toBeUndefined();
  });

  test('has a name that may be anything', () => {
    const hostile = { ...limiter, model: '"><script>alert(1)</script>' };
    expect(renderWindowChart(run, 22, [hostile])?.toString()).not.toContain('<script');
    const long = { ...limiter, model: 'long '.repeat(1_000) };
    const [legend] = /<ul class="legend">[\s\S]*?<\/ul>/.exec(
      renderWindowChart(run, 22, [long])?.toString() ?? '',
    ) ?? [''];
    expect(legend).toContain('long long');
    expect(legend.length).toBeLessThan(700);
  });
});
