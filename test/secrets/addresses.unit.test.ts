import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { recordingCapture } from '../../src/recording/capture/capture.ts';
import { readHarEntry } from '../../src/recording/reading/entry.ts';
import { appendHeaders } from '../../src/reference/http/answer.ts';
import type { Change } from '../../src/reference/index.ts';
import { assemble } from '../../src/report/assemble/assemble.ts';
import { renderHar } from '../../src/report/formats/har.ts';
import { renderJunit } from '../../src/report/formats/junit.ts';
import { renderHtml } from '../../src/report/html/index.ts';
import { conductBundled } from '../../src/run/bundled.ts';
import { recordOf } from '../../src/run/job.ts';
import { DEFAULT_OPTIONS, ofBundled } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { allChecks } from '../../suites/index.ts';
import { BASE, entryOf, type Said } from '../recordings/entries.ts';

const contract = loadContract();
const checks = allChecks(contract);
const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, exhaust: 'none' });
const plan = makePlan(contract, checks, options);

const SECRET = 's3cr3t-4f9Zq-of-an-address';
const ADDRESS = `https://shop.example/back?limit=1&access_token=${SECRET}#id_token=${SECRET}`;
const HEADERS: [string, string][] = [
  ['Location', ADDRESS],
  ['Content-Location', `/v1/pets?sig=${SECRET}`],
  ['Link', `<${ADDRESS}>; rel="next"`],
  ['Refresh', `0;url=${ADDRESS}`],
];

/** Says an address with a secret wherever it may, and in the names of animals, which is wrong. */
const TELLING: Change = {
  around: async (call, next) => {
    const answer = appendHeaders(await next(call), HEADERS);
    const { body } = answer;
    const isError = answer.status >= 400 && typeof body === 'object' && body !== null && 'message' in body;
    return isError ? { ...answer, body: { ...body, message: `see ${ADDRESS}` } } : answer;
  },
  store: { create: (pet) => ({ ...pet, name: ADDRESS }) },
};

test('nothing that a run keeps or says has a secret of an address, and the rest of the addresses stays', async () => {
  const heard: unknown[] = [];
  const conducted = await conductBundled(contract, plan, options, {
    changes: [TELLING],
    connections: 'memory',
    onKept: (exchange) => heard.push(exchange),
    onExchange: (exchange) => heard.push(exchange),
  });
  const report = assemble(
    { contract, checks },
    recordOf(contract, checks, plan, { options }, conducted),
    conducted.exchanges,
    plan,
  );
  const { requirements } = report;
  expect(requirements.filter(({ status }) => status === 'violated').map(({ id }) => id)).toEqual([
    'createPet.echo',
  ]);
  const written = [
    JSON.stringify(heard),
    JSON.stringify(report),
    renderHtml(report),
    renderJunit(report),
    [...renderHar(report, () => conducted.exchanges)].join(''),
  ];
  for (const text of written) expect(text).not.toContain(SECRET);
  expect(written[0]).toContain(
    'https://shop.example/back?limit=1&access_token=%5Bhidden%5D#id_token=%5Bhidden%5D',
  );
});

function captured(said: Said) {
  const read = readHarEntry(entryOf(said));
  if ('omitted' in read) throw new Error(read.omitted);
  return recordingCapture(contract, [])(read.recorded);
}

test('nor has anything of recorded traffic', () => {
  const text = JSON.stringify(
    captured({
      url: `${BASE}/pets?limit=1&code=${SECRET}`,
      headers: { referer: ADDRESS },
      answer: Object.fromEntries(HEADERS),
      body: { code: 'x', message: `see ${ADDRESS}`, status: 400 },
    }),
  );
  expect(text).not.toContain(SECRET);
  expect(text).toContain('shop.example/back?limit=1&access_token=');
});

test.each<[what: string, said: Said]>([
  ['a cookie', { headers: { cookie: 'return_to=/v1/pets' } }],
  ['an encoded cookie', { headers: { cookie: 'return_to=%2Fv1%2Fpets' } }],
  ['a cookie with another path', { headers: { cookie: 'last=/v1/pets/17' } }],
  [
    'a cookie with an address',
    { headers: { cookie: 'last=http%3A%2F%2F127.0.0.1%2Fv1%2Fpets%3Flimit%3D1' } },
  ],
  ['a cookie that is set', { answer: { 'set-cookie': 'last_page=%2Fv1%2Fpets; Path=/' } }],
  ['a header with a telling name', { headers: { 'x-token': '/v1/pets' } }],
  ['a cookie with a part of the path', { headers: { cookie: 'at=/v1' } }],
])('the path of the request is no secret: %s', (_, said) => {
  const shown = captured({ url: `${BASE}/pets?limit=1`, ...said });
  expect(shown?.url).toBe(`${BASE}/pets?limit=1`);
});
