import { describe, expect, test } from 'vitest';
import { violatedIn } from '../../recordings/recorded-run.ts';
import { judgeShop, recordShop, shop, shopInterface } from './recorded-shop.ts';

const changed = (id: string) => [...shop.faults, ...shop.variants].find((each) => each.id === id);

/** Faults that a recording of others shows, too. */
const SHOWN = [
  'list-206',
  'list-broken',
  'list-without-next',
  'list-mills',
  'list-twice',
  'list-limit-zero-crashes',
];

test('a run that conforms: nothing is violated, and the sentences of the folder are judged', async () => {
  const judging = await shopInterface();
  const { own, others, baseUrl } = await recordShop(judging);
  for (const har of [own, others]) {
    const { findings, files } = await judgeShop(judging, har, baseUrl);
    expect(violatedIn(findings)).toEqual([]);
    expect(findings['listBooks.limit.page-size']).toMatchObject({ status: 'met', exercised: true });
    expect(findings['Page.next']).toMatchObject({ status: 'met', exercised: true });
    expect(files[0]?.judged).toBeGreaterThan(60);
  }
});

describe('a fault of the bookshop is found in recordings by the requirement that its run violates', () => {
  test.each(SHOWN)('%s', async (id) => {
    const judging = await shopInterface();
    const { told, own, others, baseUrl } = await recordShop(judging, changed(id));
    expect(told).toHaveLength(1);
    for (const har of [own, others])
      expect(violatedIn((await judgeShop(judging, har, baseUrl)).findings)).toEqual(told);
  });
});

test('what only petspec knows is found in its own recording alone: whose key was wrong', async () => {
  const judging = await shopInterface();
  const { told, own, others, baseUrl } = await recordShop(judging, changed('any-key'));
  expect(violatedIn((await judgeShop(judging, own, baseUrl)).findings)).toEqual(told);
  const { findings } = await judgeShop(judging, others, baseUrl);
  expect(findings['authentication.key']).toMatchObject({ status: 'not-tested', untested: 'no-traffic' });
});

describe('no recording of a variant raises an alarm', () => {
  test.each(['authors-as-persons', 'titles-taken', 'removed-is-410', 'limit-draft-07'])('%s', async (id) => {
    const judging = await shopInterface();
    const { own, others, baseUrl } = await recordShop(judging, changed(id));
    for (const har of [own, others])
      expect(violatedIn((await judgeShop(judging, har, baseUrl)).findings)).toEqual([]);
  });
});

test('the key of a recording is nowhere in what is kept, wherever the interface takes it', async () => {
  const judging = await shopInterface();
  const { others, baseUrl } = await recordShop(judging);
  expect(others).toContain('a-real-key-7f3d9c');
  const judged = await judgeShop(judging, others, baseUrl);
  expect(JSON.stringify(judged.exchanges)).not.toContain('a-real-key-7f3d9c');
  expect(judged.keys).toBe(1);
});
