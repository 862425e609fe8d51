import { expect, test } from 'vitest';
import { realClock } from '../../../src/model/clock.ts';
import { judgeRecordings } from '../../../src/recording/judge-recording.ts';
import { type ReadLine, readLine } from '../../../src/recording/reading/entry.ts';
import { conduct } from '../../../src/run/conduct.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { DEFAULT_OPTIONS } from '../../../src/run/options.ts';
import { makePlan } from '../../../src/run/plan.ts';
import { BASE, entryOf, type Said } from '../../recordings/entries.ts';
import { harOf, violatedIn } from '../../recordings/recorded-run.ts';
import { type Asked, documentWith, startSmall } from '../small-service.ts';

const BOOK = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

/** An interface whose list of books needs a key. */
function interfaceWith(statuses: readonly string[], security: object[] = [{ key: [] }]) {
  const content = { 'application/json': { schema: { type: 'array', items: BOOK } } };
  const others = Object.fromEntries(statuses.map((status) => [status, { description: 'No.' }]));
  const get = { operationId: 'list', security, responses: { 200: { description: 'x', content }, ...others } };
  const key = { type: 'http', scheme: 'bearer' };
  return interfaceOf({ interface: documentWith({ '/books': { get } }, { securitySchemes: { key } }) });
}

async function* read(entries: readonly unknown[]): AsyncGenerator<ReadLine> {
  for (const each of entries) yield readLine(each);
}

/** What petspec finds in a recording, each exchange a second after the one before. */
async function findings(statuses: readonly string[], all: readonly Said[], security?: object[]) {
  const { contract, checks } = await interfaceWith(statuses, security);
  const entries = all.map((each, index) =>
    entryOf({ path: '/books', at: index * 1_000, body: [{ id: 1 }], ...each }),
  );
  const files = [{ name: '1.har', entries: read(entries) }];
  const judged = await judgeRecordings(contract, checks, files, { servers: { baseUrl: BASE }, redact: [] });
  return { found: judged.findings, wrong: violatedIn(judged.findings), keys: judged.keys };
}

/** An exchange without a key, as the proxy keeps it: it knows every header. */
const keyless = (said: Said = {}): Said => ({ key: null, ...said, more: { _isHeadComplete: true } });

test('without a documented 401, an accepted request without a key is a violation as in a run', async () => {
  const { found, wrong } = await findings([], [keyless()]);
  expect(wrong).toEqual(['list.key']);
  expect(found['list.key']?.reason).toBe('no key: accepted with 200');
});

test.each([401, 403, 404, 302, 429])(
  'without a documented 401, a %d to a request without a key conforms',
  async (status) => {
    const { found, wrong } = await findings([], [{}, keyless({ status, body: '' })]);
    expect(wrong).toEqual([]);
    // A gateway may have had another reason.
    expect(found['list.key']?.status).toBe(status === 401 ? 'met' : 'not-tested');
  },
);

test('without a documented 401, a 5xx to a request without a key is one', async () => {
  expect((await findings([], [keyless({ status: 500, body: '' })])).wrong).toEqual(['list.responses']);
});

test('a request that need not have a key is judged as any request', async () => {
  for (const security of [[], [{}, { key: [] }]]) {
    const right = await findings([], [keyless()], security);
    expect([right.wrong, right.found['list.200']?.status]).toEqual([[], 'met']);
    expect((await findings([], [keyless({ body: [{}] })], security)).wrong).toEqual(['list.200.body.id']);
  }
});

test("in petspec's own recording of an interface without keys there is no key", async () => {
  const own = { _id: 1, _operation: 'list', _key: 'valid', _stage: 'read', _inFlight: 1 };
  const said: Said = { key: null, more: own };
  expect((await findings([], [said], [])).keys).toBe(0);
  expect((await findings([], [said])).keys).toBe(1);
});

test('a recorder that leaves keys out accuses nobody of needing none', async () => {
  const { found, wrong } = await findings([], [{ key: null }]);
  expect([wrong, found['list.200']?.status, found['list.key']?.status]).toEqual([[], 'met', 'not-tested']);
  expect((await findings([], [{ key: null, body: [{}] }])).wrong).toEqual(['list.200.body.id']);
  expect((await findings([], [{ key: null, headers: { cookie: 'sid=1' } }])).wrong).toEqual([]);
});

test("in a recording of petspec's own, a missing and an unknown key count without a documented 401", async () => {
  const { contract, checks } = await interfaceWith([]);
  const isIn = ({ headers }: Asked) => headers.authorization === 'Bearer k-17';
  const judgedAgain = async (answer: (asked: Asked) => boolean) => {
    const { baseUrl } = await startSmall((asked) => (answer(asked) ? [200, [{ id: 1 }]] : [403]));
    const options = { ...DEFAULT_OPTIONS, baseUrl, apiKey: 'k-17' };
    const plan = makePlan(contract, checks, options);
    const { exchanges } = await conduct(
      contract,
      plan,
      options,
      { baseUrl, apiKey: 'k-17' },
      { clock: realClock },
    );
    const entries = JSON.parse(harOf(exchanges, baseUrl)).log.entries;
    const files = [{ name: 'own.har', entries: read(entries) }];
    const { findings: found } = await judgeRecordings(contract, checks, files, {
      servers: { baseUrl },
      redact: [],
    });
    return [violatedIn(found), found['list.key']?.status];
  };
  expect(await judgedAgain(isIn)).toEqual([[], 'met']);
  expect(await judgedAgain(() => true)).toEqual([['list.key'], 'violated']);
  const anyKey = ({ headers }: Asked) => headers.authorization !== undefined;
  expect(await judgedAgain(anyKey)).toEqual([['authentication.key'], 'not-tested']);
});
