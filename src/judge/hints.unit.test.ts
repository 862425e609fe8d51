import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { json, LIMIT, page } from '../../test/exchanges/answers.ts';
import { judge } from '../../test/exchanges/judged-answers.ts';
import { answered } from '../../test/reports/hand-made-report.ts';
import { contract } from '../../test/reports/sample-runs.ts';
import { startNaive } from '../../test/services/naive-services.ts';
import { type Report, type RunSettings, run, startReference, VirtualClock } from '../index.ts';
import { deriveProbes } from '../probes/derive.ts';
import { hintsOf } from './hints.ts';
import { judgeExchanges } from './judge-exchanges.ts';

const KEY = 'a-key-of-a-test';

/** The hints of a run against the reference whose user states its addresses wrongly. */
async function hintsFor(wrong: (addresses: { base: string; api: string }) => RunSettings) {
  const clock = new VirtualClock(Date.now());
  const reference = await startReference({ clock, apiKey: KEY });
  onTestFinished(() => reference.close());
  const addresses = { base: reference.baseUrl, api: reference.apiUrl };
  const report = await run({ clock, apiKey: KEY, exhaust: 'none', ...wrong(addresses) });
  return { report, kinds: report.hints?.map(({ kind }) => kind), ...addresses };
}

const commandOf = (report: Report) => report.hints?.flatMap(({ command }) => command ?? []);

test('an address without the path that every base address ends with', async () => {
  const { report, kinds, base, api } = await hintsFor(({ base, api }) => ({
    baseUrl: base.replace(/\/v1$/, ''),
    apiUrl: api,
  }));
  expect(kinds).toEqual(['base-path']);
  expect(report.hints?.[0]?.text).toContain('/v1');
  expect(commandOf(report)).toEqual([`npx petspec run ${base} --api-url ${api} --exhaust none`]);
});

test('an address that ends with the path of an operation', async () => {
  const { report, kinds, base } = await hintsFor(({ base }) => ({ baseUrl: `${base}/pets` }));
  expect(kinds).toEqual(['operation-path']);
  expect(report.hints?.[0]?.text).toContain('ends with /pets');
  expect(commandOf(report)).toEqual([`npx petspec run ${base} --exhaust none`]);
});

test('several mistakes, mended together', async () => {
  const { report, kinds, base, api } = await hintsFor(({ base, api }) => ({
    baseUrl: `${base.replace(/\/v1$/, '')}/store/orders`,
    apiUrl: `${api}/messages`,
  }));
  expect(kinds).toEqual(['operation-path', 'operation-path', 'base-path']);
  expect(commandOf(report)).toEqual([`npx petspec run ${base} --api-url ${api} --exhaust none`]);
});

test('a message address alone that is wrong', async () => {
  const { report, kinds, base, api } = await hintsFor(({ base, api }) => ({
    baseUrl: base,
    apiUrl: `${api}/messages`,
  }));
  expect(kinds).toEqual(['operation-path']);
  expect(report.rootCause).toBeUndefined();
  expect(commandOf(report)).toEqual([`npx petspec run ${base} --api-url ${api} --exhaust none`]);
});

test('the two addresses swapped', async () => {
  const { report, kinds, base, api } = await hintsFor(({ base, api }) => ({ baseUrl: api, apiUrl: base }));
  expect(kinds).toEqual(['swapped']);
  expect(commandOf(report)).toEqual([`npx petspec run ${base} --api-url ${api} --exhaust none`]);
});

test('the two servers swapped', async () => {
  const { report, kinds, base, api } = await hintsFor(({ base, api }) => ({
    baseUrl: `${api}/v1`,
    apiUrl: base.replace(/\/v1$/, ''),
  }));
  expect(kinds).toEqual(['swapped']);
  expect(commandOf(report)?.at(-1)).toBe(`npx petspec run ${base} --api-url ${api} --exhaust none`);
});

test('addresses that are right', async () => {
  const { kinds } = await hintsFor(({ base, api }) => ({ baseUrl: base, apiUrl: api }));
  expect(kinds).toBeUndefined();
});

async function hintsAgainst(answer: RequestListener, settings: RunSettings = {}): Promise<Report> {
  const { apiUrl: origin, close } = await startNaive({ answer });
  onTestFinished(close);
  return run({ baseUrl: `${origin}/v1`, apiKey: KEY, exhaust: 'none', ...settings });
}

const redirect =
  (to: (path: string) => string): RequestListener =>
  ({ url = '' }, response) =>
    void response.writeHead(307, { location: to(url) }).end();

test.each<[what: string, answer: RequestListener, kind: string, text: RegExp]>([
  [
    'a redirect to a login page',
    redirect(() => '/signin?next=x'),
    'login',
    /login page responds \(http:.*\/signin\)/,
  ],
  [
    'a redirect to a single sign-on',
    redirect(() => 'https://id.example.com/sso/start'),
    'login',
    /id\.example/,
  ],
  [
    'a redirect to another origin',
    redirect(() => 'https://www.example.com/'),
    'gateway',
    /www\.example\.com/,
  ],
  [
    'a form that asks for a password',
    (_, response) => page(response, 200, '<!doctype html><form><input name=p type="password"></form>'),
    'login',
    /--header/,
  ],
  ['a page', (_, response) => page(response, 200, '<html><h1>Welcome</h1></html>'), 'gateway', /a web page/],
  [
    'a gateway that cannot reach the service',
    (_, response) => page(response, 502, '<html><h1>Bad Gateway</h1></html>'),
    'unavailable',
    /wait until/,
  ],
  ['nothing', (_, response) => void response.writeHead(404).end(), 'elsewhere', /VPN/],
])('%s', async (_, answer, kind, text) => {
  const { hints = [] } = await hintsAgainst(answer);
  expect(hints.map((each) => each.kind)).toEqual([kind]);
  expect(hints[0]?.text).toMatch(text);
  expect(hints[0]?.command).toBeUndefined();
});

test('the same paths at another origin, as where http is moved to https', async () => {
  const report = await hintsAgainst(redirect((path) => `https://store.example.com${path}`));
  expect(report.hints?.map(({ kind }) => kind)).toEqual(['moved']);
  expect(commandOf(report)).toEqual(['npx petspec run https://store.example.com/v1 --exhaust none']);
  expect(report.because).toContain('a redirect (307) to https://store.example.com');
});

test('none where an operation answers, whatever the others do', async () => {
  const { hints } = await hintsAgainst(({ url = '' }, response) => {
    if (!url.includes('orders')) return page(response, 404, '<html>no</html>');
    for (const [name, value] of Object.entries(LIMIT)) response.setHeader(name, value);
    json(response, 200, []);
  });
  expect(hints).toBeUndefined();
});

test('what a ledger of anybody names as an address need be none', () => {
  const nothingThere = { ...answered, response: { status: 404, headers: [], body: '' } };
  const judged = judgeExchanges([nothingThere], {
    contract,
    probes: deriveProbes(contract).map((probe) => ({ ...probe, id: answered.probe })),
    today: 0,
    referencesKnown: true,
  });
  const baseUrl = 'https://staging.example.com/pets';
  expect(hintsOf(judged, contract, { baseUrl })).not.toEqual([]);
  expect(hintsOf(judged, contract, { baseUrl, apiUrl: 'no address' })).toEqual([]);
  expect(hintsOf(judged, contract, { baseUrl: '//' })).toEqual([]);
});

test('addresses that look swapped and work are as the user means them', () => {
  const { baseUrl, apiUrl } = {
    baseUrl: 'https://store.example.com',
    apiUrl: 'https://store.example.com/v1',
  };
  expect(hintsOf(judge({ 'listPets:plain': 200 }), contract, { baseUrl, apiUrl })).toEqual([]);
  const nowhere = judge({ 'listPets:plain': 404, 'sendMessage:minimal': 404 });
  expect(hintsOf(nowhere, contract, { baseUrl, apiUrl }).map(({ kind }) => kind)).toContain('swapped');
});

test('a command is one that a shell takes as it stands', async () => {
  const { apiUrl: origin, close } = await startNaive({ answer: (_, response) => json(response, 404, {}) });
  onTestFinished(close);
  const report = await run({ baseUrl: `${origin}/a;b'c`, apiKey: KEY, exhaust: 'none', readOnly: true });
  expect(commandOf(report)).toEqual([`npx petspec run '${origin}/a;b'\\''c/v1' --read-only --exhaust none`]);
});
