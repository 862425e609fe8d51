import { expect, test } from 'vitest';
import { judgeRecordings } from '../../../src/recording/judge-recording.ts';
import { type ReadLine, readLine } from '../../../src/recording/reading/entry.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { BASE, entryOf, type Said } from '../../recordings/entries.ts';
import { violatedIn } from '../../recordings/recorded-run.ts';
import { documentWith } from '../small-service.ts';

const text = { type: 'string' };
const mail = { type: 'string', format: 'email' };
const json = (properties: object) => ({
  content: { 'application/json': { schema: { type: 'object', properties } } },
});

async function* read(entries: readonly unknown[]): AsyncGenerator<ReadLine> {
  for (const each of entries) yield readLine(each);
}

/** What petspec finds in a recorded creation of a user, and the body that it keeps. */
async function judgedCreation(said: Said) {
  const post = {
    requestBody: json({ name: text, email: mail, password: text }),
    responses: { 201: { description: 'x', ...json({ email: mail }) } },
  };
  const { contract, checks } = await interfaceOf({ interface: documentWith({ '/users': { post } }) });
  const entry = entryOf({ method: 'POST', path: '/users', status: 201, ...said });
  const files = [{ name: '1.har', entries: read([entry]) }];
  const judged = await judgeRecordings(contract, checks, files, { servers: { baseUrl: BASE }, redact: [] });
  return { wrong: violatedIn(judged.findings), shown: JSON.stringify(judged) };
}

test('a mail address that contains a secret stays a mail address', async () => {
  const email = 'sesame-opens@example.com';
  const { wrong, shown } = await judgedCreation({
    request: { name: 'Ann', email, password: 'sesame-opens' },
    body: { email },
  });
  expect(wrong).toEqual([]);
  expect(shown).not.toContain('sesame');
});

test('an Idempotency-Key is no secret, so that what equals it stays as it is', async () => {
  const { wrong, shown } = await judgedCreation({
    headers: { 'Idempotency-Key': 'order-of-today' },
    request: { name: 'order-of-today' },
    body: { email: 'order-of-today@example.com' },
  });
  expect(wrong).toEqual([]);
  expect(shown).toContain('order-of-today@example.com');
});
