import { expect, test } from 'vitest';
import { run } from '../src/index.ts';

test('a day is used up in virtual time: as many requests as it allows, one that is refused, one that recovers', async () => {
  const { requests, requirements, verdict } = await run({
    exhaust: 'day',
    limits: { minute: 300, day: 3_000 },
  });
  expect(verdict).toBe('conformant');
  // Messages are counted apart.
  const { messages = 0 } = requests.byPurpose;
  const wrongKeysOfMessages = 2;
  expect(requests.withKey - (messages - wrongKeysOfMessages)).toBe(3_000 + 2);
  expect(requirements.filter(({ level, status }) => level === 'must' && status === 'not-tested')).toEqual([]);
});
