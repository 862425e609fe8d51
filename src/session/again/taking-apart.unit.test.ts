import { describe, expect, test, vi } from 'vitest';
import { allChecks } from '../../../suites/index.ts';
import { isNightly } from '../../../test/nightly/sampled.ts';
import { loadContract } from '../../contract/load.ts';
import type { Change } from '../../reference/changes/change.ts';
import { answering, onAnswer, withField } from '../../reference/changes/changes.ts';
import { crash } from '../../reference/faults/mistakes.ts';
import { naming } from '../../reference/faults/requests.ts';
import { errorAnswer } from '../../reference/http/answer.ts';
import { assemble } from '../../report/assemble/assemble.ts';
import { conductBundled } from '../../run/bundled.ts';
import { recordOf } from '../../run/job.ts';
import { DEFAULT_OPTIONS, ofBundled, type RunOptions } from '../../run/options.ts';
import { makePlan } from '../../run/plan.ts';

// Whole runs take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const contract = loadContract();
const checks = allChecks(contract);

/** A run against the reference with a change, in memory and in virtual time. */
async function run(change: Change, stated: Partial<RunOptions> = {}) {
  const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, frugal: true, ...stated });
  const plan = makePlan(contract, checks, options);
  const conducted = await conductBundled(contract, plan, options, {
    changes: [change],
    connections: 'memory',
    start: Date.parse('2026-11-21T12:00:20Z'),
  });
  const report = assemble(
    { contract, checks },
    recordOf(contract, checks, plan, { options }, conducted),
    conducted.exchanges,
    plan,
  );
  return {
    report,
    /** Without those that see findings again. */
    exchanges: conducted.exchanges.filter(({ confirms }) => confirms === undefined),
    again: conducted.exchanges.filter(({ confirms }) => confirms !== undefined),
    violated: report.requirements.filter(({ status }) => status === 'violated'),
  };
}

const isBody = (test: (text: string) => boolean) => ({
  operation: 'createPet' as const,
  when: ({ bodyText = '' }: { bodyText?: string | undefined }) => test(bodyText),
});
const refuse = () => errorAnswer(400, 'invalid_request', 'the body is not valid');
/** Bodies in lines are refused. */
const linesRefused = answering(
  isBody((text) => text.startsWith('\n')),
  refuse,
);
const withLinesRefused = run(linesRefused);

test('one variation is to blame: one finding that names it, and reproduces it alone', async () => {
  const { violated, exchanges, report } = await withLinesRefused;
  expect(violated).toMatchObject([{ id: 'createPet.201', variation: ['json-space:lines'] }]);
  const [finding] = violated;
  const shown = exchanges.find(({ id }) => id === finding?.evidence[0]);
  expect(shown?.variations).toEqual(['json-space:lines']);
  expect(finding?.reproduce?.script).toContain('\\x0d\\x0a\\x09');
  expect(finding?.reproduce?.script).toContain(`drawn by --seed ${report.seed}: json-space:lines`);
  expect(finding?.seen?.[0]).toMatchObject({ kind: 'status', variation: ['json-space:lines'] });
});

test('what depends on the failed request uses its plain response, and the variation is left out from then on', async () => {
  const { exchanges, report, violated } = await withLinesRefused;
  expect(report.requirements.filter(({ status }) => status === 'not-tested')).toEqual([]);
  const shown = violated[0]?.evidence[0] ?? 0;
  const later = exchanges.filter(({ id }) => id > shown);
  expect(later.length).toBeGreaterThan(30);
  expect(later.filter(({ variations }) => variations?.includes('json-space:lines'))).toEqual([]);
});

test.each<[string, Change, string, string[]]>([
  [
    'characters that the database cannot store',
    answering(
      naming((name) => name.includes('猫')),
      crash,
    ),
    'createPet.201',
    ['text:han'],
  ],
  [
    'a name that comes back changed',
    withField({ ...naming((name) => name.includes('{{')), status: 201 }, 'name', () => '49'),
    'createPet.echo',
    ['text:template'],
  ],
])('%s: the characters are named', async (_, change, id, variation) => {
  const { violated } = await run(change);
  expect(violated).toMatchObject([{ id, variation }]);
});

test('requests that also fail plain: no variation is to blame, and few are sent again', async () => {
  const { violated, exchanges } = await run(answering({ operation: 'createPet' }, crash));
  expect(violated.map(({ id, variation }) => [id, variation])).toEqual([['createPet.201', undefined]]);
  expect(exchanges.filter(({ stage }) => stage === 'create').length).toBeLessThanOrEqual(9 + 2);
});

test('a failure that does not come again: no variation is to blame', async () => {
  let count = 0;
  const { violated } = await run(
    answering(
      { operation: 'listPets', when: ({ query }) => query.get('status') === 'pending' && ++count === 1 },
      crash,
    ),
  );
  expect(violated.map(({ variation }) => variation)).toEqual([undefined]);
});

test('without exhaustion nothing is isolated: the finding names the set, which is seen to fail again', async () => {
  const whole = await withLinesRefused;
  const { violated, exchanges, again } = await run(linesRefused, { exhaust: 'none' });
  expect(violated.map(({ id }) => id)).toEqual(['createPet.201']);
  expect(violated[0]?.variation).toContain('json-space:lines');
  expect(violated[0]?.variation?.length).toBeGreaterThan(1);
  expect(violated[0]?.confirmation).toMatchObject({ outcome: 'again', exchanges: [again.at(-1)?.id] });
  const additions = (all: typeof exchanges) => all.filter(({ stage }) => stage === 'create').length;
  expect(additions(exchanges)).toBeLessThan(additions(whole.exchanges));
});

test('isolation takes at most eight requests, and the run no more than an honest limit has', async () => {
  const { exchanges } = await withLinesRefused;
  const again = exchanges.filter(
    ({ id, probe, variations }) =>
      variations && exchanges.some((each) => each.probe === probe && each.id < id),
  );
  expect(again.filter(({ stage }) => stage === 'create').length).toBeLessThanOrEqual(8);
  const withKey = exchanges.filter(({ address, key }) => address === 'baseUrl' && key === 'valid');
  expect(withKey).toHaveLength(62);
});

test('what a service may refuse is not judged if it does, and is if it does not', async () => {
  const isForeign = {
    operation: 'listPets' as const,
    when: ({ headers }: { headers: object }) => 'origin' in headers,
  };
  const onOrigin = (answer: Parameters<typeof answering>[1]) =>
    run(answering(isForeign, answer), { seed: 1, limits: { minute: 120 } });
  expect((await onOrigin(() => errorAnswer(403, 'forbidden', 'no'))).violated).toEqual([]);
  expect((await onOrigin(crash)).violated.map(({ id }) => id)).toEqual(['listPets.responses']);
});

test('a page size that no planned request has', async () => {
  const { violated } = await run(
    onAnswer(
      {
        operation: 'listPets',
        when: ({ query }) => query.has('limit') && !['1', '3', '100'].includes(query.get('limit') ?? ''),
      },
      (answer) => ({
        ...answer,
        body: '{}',
      }),
    ),
  );
  expect(violated.map(({ id }) => id)).toEqual(['listPets.200.body']);
});

test.each<[what: string, isTooLong: (name: string) => boolean]>([
  ['characters', (name) => [...name].length > 20],
  ['bytes', (name) => Buffer.byteLength(name) > 32],
])(
  'a text that is refused as plain letters of its length are may only be too long, in %s',
  async (_what, isTooLong) => {
    const { violated, exchanges } = await run(answering(naming(isTooLong), refuse));
    expect(violated).toEqual([]);
    const plain = exchanges.filter(({ variations }) => variations?.includes('text:as-long'));
    expect(plain.map(({ response }) => response?.status)).toEqual([400]);
  },
);

test('characters are to blame where plain letters of the same length are accepted', async () => {
  const isRefused = (name: string) => /\P{ASCII}/u.test(name) || name.length > 60;
  const { violated } = await run(answering(naming(isRefused), refuse));
  expect(violated).toMatchObject([{ id: 'createPet.201', variation: [expect.stringMatching(/^text:/)] }]);
});

describe('a service that limits how long a name may be', () => {
  const SEEDS = isNightly ? [0, 5] : [0];
  const isLong = {
    'at most 50 characters': (name: string) => [...name].length > 50,
    'at most 24 bytes': (name: string) => Buffer.byteLength(name) > 24,
    'at most 15 characters': (name: string) => [...name].length > 15,
  };
  const limits = Object.entries(isLong).flatMap(([words, isTooLong]) =>
    SEEDS.map((seed) => [words, seed, isTooLong] as const),
  );

  test.each(limits)('%s: it conforms, with seed %s', async (_words, seed, isTooLong) => {
    const { violated } = await run(answering(naming(isTooLong), refuse), { seed });
    expect(violated).toEqual([]);
  });

  test.each(limits.slice(0, 2 * SEEDS.length))(
    '%s, and no letters beyond ASCII: this is found, with seed %s',
    async (_words, seed, isTooLong) => {
      const isRefused = (name: string) => /\P{ASCII}/u.test(name) || isTooLong(name);
      const { violated } = await run(answering(naming(isRefused), refuse), { seed });
      expect(violated).toMatchObject([
        { id: 'createPet.201', variation: expect.arrayContaining([expect.stringMatching(/^text:/)]) },
      ]);
    },
  );
});
