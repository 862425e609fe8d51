import { expect, test } from 'vitest';
import { documentWith, judged } from '../small-service.ts';

const KEY = 'a-key-of-a-test-1';
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const securitySchemes = { token: { type: 'apiKey', in: 'header', name: 'Authorization' } };
const SECURED = {
  '/things': {
    get: {
      security: [{ token: [] }],
      responses: { 200: { description: 'x', ...json({ type: 'array' }) }, 401: { description: 'x' } },
    },
  },
};

test('a key that is the whole of Authorization may name its scheme, and the unknown key has it, too', async () => {
  const { asked, report, wrong } = await judged(
    documentWith(SECURED, { securitySchemes }),
    ({ headers: { authorization = '' } }) =>
      authorization.startsWith('Token ') ? [200, [{ you: authorization.slice(6) }]] : [401],
    { apiKey: `Token ${KEY}` },
  );
  const sent = asked.map(({ headers }) => headers.authorization);
  // The number at the end may count keys, so no key that is nearly the right one is sent.
  const unknown = sent.find((each) => each !== undefined && each !== '' && each !== `Token ${KEY}`) ?? '';
  expect(unknown).toMatch(/^Token [a-z]-[a-z]{3}-[a-z]{2}-[a-z]-[a-z]{4}-\d[a-z\d]{8}$/);
  expect(new Set(sent)).toEqual(new Set([`Token ${KEY}`, undefined, unknown, '']));
  expect(wrong).toEqual(['authentication.key']);
  const written = JSON.stringify(report);
  expect(written).not.toContain(KEY);
  expect(written).toContain('["authorization","$PETSPEC_API_KEY"]');
  expect(written).toContain(`Authorization: ${unknown}`);
});

test('where petspec writes the scheme, a key that has it is refused', async () => {
  const bearer = { token: { type: 'http', scheme: 'bearer' } };
  const list = { 200: { description: 'x', ...json({ type: 'array' }) } };
  const file = documentWith(
    { '/things': { get: { security: [{ token: [] }], responses: list } } },
    { securitySchemes: bearer },
  );
  await expect(judged(file, () => [200, []], { apiKey: `Bearer ${KEY}` })).rejects.toThrow(
    "'apiKey': the key starts with 'Bearer'; leave that out",
  );
});
