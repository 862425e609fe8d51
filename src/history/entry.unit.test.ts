import { describe, expect, test } from 'vitest';
import { handMade } from '../../test/reports/hand-made-report.ts';
import { entry } from '../../test/reports/history.ts';
import { entryOf } from './entry.ts';
import { readEntry } from './read.ts';

const met = entry(1, { a: 'met' });

describe('an entry', () => {
  test('keeps each status of a report, by section', () => {
    const { sections, ...rest } = entryOf(handMade, 'ab'.repeat(32), { name: 'store', release: '1.0' });
    expect(rest).toMatchObject({
      report: 'ab'.repeat(32),
      name: 'store',
      release: '1.0',
      verdict: 'non-conformant',
      requests: 2,
      latency: { median: 50, p95: 50, max: 50 },
    });
    expect(sections).toEqual([
      {
        name: 'GET /pets (listPets)',
        statuses: {
          met: ['listPets.200'],
          unexercised: ['listPets.limit'],
          violated: ['listPets.status'],
          observed: ['open.ordering'],
        },
      },
      { name: 'Versioning', statuses: { advisory: ['getPet.sunset'] } },
      { name: 'POST /pets (createPet)', statuses: { 'not-tested': ['createPet.201'] } },
      { name: 'GET /pets/{petId} (getPet)', statuses: { 'not-tested': ['getPet.stored'] } },
    ]);
  });

  test('is named after the base URL if nothing else is said, and long texts are cut', () => {
    expect(entryOf(handMade, '').name).toBe('https://staging.example.com/v1');
    const long = entryOf({ ...handMade, because: 'x'.repeat(1_000_000) }, 'ab'.repeat(32));
    expect(readEntry(Buffer.from(JSON.stringify(long)))).toEqual(long);
    expect(long.because).toHaveLength(300);
  });

  const many = {
    name: 'Listing',
    statuses: { met: Array.from({ length: 1_500 }, (_, index) => `${index}`) },
  };
  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'not valid JSON'],
    ['another version', { ...met, schemaVersion: 2 }, '/schemaVersion must be equal to constant'],
    ['no digest', { ...met, report: '../../etc/passwd' }, '/report must match pattern'],
    ['a text that is no time', { ...met, startedAt: 'yesterday' }, '/startedAt must match format'],
    ['a text without end', { ...met, name: 'x'.repeat(301) }, '/name must NOT have more than 300'],
    [
      'nested too deeply to be shown',
      `${JSON.stringify(met).slice(0, -1)},"more":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      'nested more than 64 levels deep',
    ],
    ['too many requirements', { ...met, sections: [many, many] }, 'more than 2000 requirements'],
  ])('that is not one is refused: %s', (_, value, words) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(readEntry(Buffer.from(text))).toContain(words);
  });
});
