import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { documentOf, KEY, SCHEMES, startService } from './keyed-service.ts';

test.each(SCHEMES)(
  'a key as %s: it is sent, left out, and replaced',
  async (_, scheme, header, right, unknown, further) => {
    const { baseUrl, got } = await startService(header, right);
    const report = await run({ baseUrl, apiKey: KEY, interface: documentOf(scheme) });
    expect([report.verdict, report.gaps]).toEqual(['conformant', undefined]);
    const [wrong, ...others] = got.filter(
      (each) => each !== undefined && each !== right && !further.includes(each),
    );
    // Three requests without a key go to other spellings of the address.
    const keyless = [undefined, undefined, undefined, undefined];
    expect([...got].sort()).toEqual([right, wrong, ...further, ...keyless].sort());
    expect(others).toEqual([]);
    expect(wrong).toMatch(unknown);
    const secrets = [KEY, right.replace(/^\w+[ =]/, '')];
    expect(secrets.filter((each) => JSON.stringify(report).includes(each))).toEqual([]);
  },
);

test.each(SCHEMES)('a service that takes any key as %s is found', async (_, scheme, header, right) => {
  const { baseUrl } = await startService(header, right, { isOpen: true });
  const report = await run({ baseUrl, apiKey: KEY, interface: documentOf(scheme) });
  const violated = report.requirements.filter(({ status }) => status === 'violated');
  expect(violated.map(({ id }) => id)).toEqual(['list.401']);
});

test('a key in the query: it is sent, left out and replaced, and shown as its variable', async () => {
  const key = 'reader/7f3a&91c2+x';
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(new URL(url, 'http://a.test').searchParams.get('api key') ?? 'none');
    const isIn = asked.at(-1) === key;
    response.writeHead(isIn ? 500 : 401, isIn ? { 'Content-Type': 'application/json' } : {}).end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const path = documentOf({ type: 'apiKey', in: 'query', name: 'api key' });
  const report = await run({ baseUrl, apiKey: key, interface: path });
  const further = [`${key}x`, ''];
  const wrong = asked.find((each) => ![key, 'none', ...further].includes(each));
  expect(wrong).toMatch(/^[a-z]{6}\/\d[a-z]\d[a-z]&\d\d[a-z]\d\+[a-z][a-z\d]+$/);
  expect([...new Set(asked)].sort()).toEqual([key, wrong, 'none', ...further].sort());
  const text = JSON.stringify(report);
  expect(
    [key, 'reader/7f3a', 'reader%2F7f3a', 'reader%2f7f3a'].filter((each) => text.includes(each)),
  ).toEqual([]);
  const violated = report.requirements.find(({ status }) => status === 'violated');
  expect(violated?.curl).toContain(`'${baseUrl}/things?api%20key='"$PETSPEC_API_KEY"`);
});

test('of several alternatives, petspec sends one that it can', async () => {
  const { baseUrl, got } = await startService('x-shop-key', KEY);
  const scheme = { type: 'apiKey', in: 'header', name: 'X-Shop-Key' };
  const path = documentOf(scheme, [{ other: [] }, { key: [], other: [] }, { key: [] }]);
  expect((await run({ baseUrl, apiKey: KEY, interface: path })).verdict).toBe('conformant');
  expect(got).toContain(KEY);
});
