import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Passed } from '../../src/proxy/http/passed.ts';
import type { LiveJudge } from '../../src/proxy/judging/live-judge.ts';
import { recordedOf } from '../../src/proxy/judging/recorded-of.ts';
import { harOfLedger, TrafficLedger } from '../../src/proxy/judging/traffic-ledger.ts';
import { type Captured, recordingCapture } from '../../src/recording/capture/capture.ts';
import { judgeRecordings } from '../../src/recording/judge-recording.ts';
import { readRecording } from '../../src/recording/reading/read-recording.ts';
import { faults } from '../../src/reference/faults/index.ts';
import type { Change } from '../../src/reference/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { allChecks } from '../../suites/index.ts';
import { collectGarbage } from '../command-line/collect-garbage.ts';
import { isNightly, sampled } from '../nightly/sampled.ts';
import { violatedIn } from '../recordings/recorded-run.ts';
import { contract, KEY, liveJudge, ordinaryDay, passedAt, throughProxy } from './judged.ts';

const folder = mkdtempSync(join(tmpdir(), 'petspec-proxy-'));
afterAll(() => rmSync(folder, { recursive: true }));

const named = <T extends { id: string }>(all: readonly T[], id: string): T => {
  const found = all.find((each) => each.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};
const violated = (judge: LiveJudge) => violatedIn(judge.close().judged.findings);

describe('a fault of the service is found in the traffic of its clients', () => {
  test.each<[string, string]>([
    ['list-default-25', 'listPets.limit.default'],
    ['list-status-leaks-unset', 'listPets.status'],
    ['create-name-lower-case', 'createPet.echo'],
    ['error-code-null', 'Error.code'],
    ['header-none-404', 'X-RateLimit-Limit'],
    ['limit-random', 'rate-limit.constant'],
    ['reset-seconds-to-go', 'rate-limit.reset'],
    ['accepted-orders-401', 'authentication.accepted'],
  ])('%s: %s', async (id, requirement) => {
    expect(violated(await throughProxy([named(faults, id)], ordinaryDay))).toEqual([requirement]);
  });
});

describe('no variant is accused, nor the reference itself', () => {
  // A connection that closes as soon as it is idle may close under a request, and the proxy sends none twice. What conforms on
  // another day would be served today.
  const served = variants.filter(({ id, start }) => start === undefined && !id.startsWith('closes-idle'));
  const some = sampled(served, 4, ({ id }) => id, 'proxy');
  test.each<[string, readonly Change[]]>([
    ['the reference', []],
    ...some.map((each): [string, readonly Change[]] => [each.id, [each]]),
  ])('%s', async (_id, changes) => {
    const { judged } = (await throughProxy(changes, ordinaryDay)).close();
    const musts = contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
    expect(violatedIn(judged.findings).filter((id) => musts.includes(id))).toEqual([]);
    expect(judged.files[0]?.judged).toBe(12);
  });
});

test.each([
  ['gzip, br, zstd', []],
  ['gzip', []],
])(
  'a body in a coding that the client asked for conforms (Accept-Encoding: %s)',
  async (coding, expected) => {
    const ask = { headers: { 'accept-encoding': coding } };
    const judge = await throughProxy([named(variants, 'zstd')], async (say) => {
      await say('GET', '/pets?limit=1', ask);
    });
    expect(violated(judge)).toEqual(expected);
  },
);

test('a body in a coding that nobody asked for is not read', async () => {
  const undeclared: Change = {
    wire: (answer, _call, _line, next) =>
      next({ ...answer, headers: [...answer.headers, ['Content-Encoding', 'utf-8']] }),
  };
  const judge = await throughProxy([undeclared], async (say) => {
    await say('GET', '/pets?limit=1', { headers: { 'accept-encoding': 'gzip' } });
  });
  expect(violated(judge)).toEqual(['service.json']);
});

test('a request without any key has to get 401, in live traffic and in its ledger', async () => {
  const keyless: Parameters<typeof throughProxy>[1] = async (say) => {
    await say('GET', '/pets?limit=3', { key: null });
    await say('GET', '/pets?limit=3');
  };
  const { path, ledger } = ledgerIn('keyless.jsonl');
  const judge = await throughProxy([named(faults, 'list-public')], keyless, { ledger });
  expect(violated(judge)).toEqual(['Unauthorized']);
  const again = (await judgeFile(path)).findings;
  expect(violatedIn(again)).toEqual(['Unauthorized']);
  const { findings } = (await throughProxy([], keyless)).close().judged;
  expect(violatedIn(findings)).toEqual([]);
  expect(findings.Unauthorized).toMatchObject({ status: 'met' });
});

test.each<[string, Partial<Passed>]>([
  ['a cookie', { requestHeaders: ['Cookie', 'session=1'] }],
  ['a header of another name', { requestHeaders: ['X-Api-Key', KEY] }],
  ['a parameter', { url: 'http://a.example/v1/pets?access_token=1', requestHeaders: [] }],
  ['no key, and gets a 403 of a gateway', { status: 403, requestHeaders: [] }],
  ['no key, and is redirected', { status: 302, requestHeaders: [] }],
])('nobody knows the key of a request with %s', (_what, change) => {
  const judge = liveJudge({ servers: { baseUrl: 'http://a.example/v1' } });
  const body = change.status === 403 ? '{"code":"x","message":"y","status":403}' : undefined;
  judge.add(
    passedAt(1, { ...change, ...(body ? { responseBody: { bytes: body, size: body.length } } : {}) }),
  );
  expect(violated(judge)).toEqual([]);
});

test('a response without headers is judged: the proxy leaves none out', async () => {
  const { path, ledger } = ledgerIn('headless.jsonl', { keepsBodies: true });
  const judge = liveJudge({ servers: { baseUrl: 'http://a.example/v1' }, ledger });
  judge.add(passedAt(1, { responseHeaders: ['Transfer-Encoding', 'chunked'] }));
  const { judged } = judge.close();
  expect(violatedIn(judged.findings)).toEqual(['X-RateLimit-Limit', 'service.content-type']);
  expect(judged.files).toMatchObject([{ judged: 1, omissions: {} }]);
  expect(violatedIn((await judgeFile(path)).findings)).toEqual(violatedIn(judged.findings));
});

test('a status that HTTP does not define is judged, in live traffic and in its ledger', async () => {
  const { path, ledger } = ledgerIn('status.jsonl', { keepsBodies: true });
  const judge = liveJudge({ servers: { baseUrl: 'http://a.example/v1' }, ledger });
  judge.add(passedAt(1, { status: 999 }));
  expect(violatedIn(judge.close().judged.findings)).toEqual(['listPets.200']);
  expect(violatedIn((await judgeFile(path)).findings)).toEqual(['listPets.200']);
});

test('what is new is told once, with the exchange that shows it, and so is the state', async () => {
  await throughProxy([named(faults, 'list-default-25')], async (say, judge) => {
    expect(judge.look()).toBeUndefined();
    await say('GET', '/pets');
    expect(judge.look()).toMatchObject({
      state: { requests: 1, judged: 1, statuses: { violated: 1 } },
      newFindings: [
        { requirement: 'listPets.limit.default', status: 'violated', request: 'GET /v1/pets -> 200, 1 of 1' },
      ],
    });
    expect(judge.look()).toBeUndefined();
    await say('GET', '/pets');
    expect(judge.look()).toMatchObject({ state: { requests: 2, judged: 2 }, newFindings: [] });
    expect(judge.close().judged.exchanges.map(({ id }) => id)).toEqual([1, 2]);
  });
});

/** A ledger in a file of its own. */
function ledgerIn(name: string, options: { most?: number; keepsBodies?: boolean } = {}) {
  const path = join(folder, name);
  return { path, ledger: new TrafficLedger(path, { most: 10_000_000, keepsBodies: false, ...options }) };
}

async function judgeFile(path: string) {
  const files = [{ name: path, entries: readRecording(path, process.stdin) }];
  return judgeRecordings(contract, allChecks(contract), files, { servers: {}, redact: [] });
}

test('the ledger has the bodies of evidence alone, no key, and what it shows is found in it again', async () => {
  const { path, ledger } = ledgerIn('evidence.jsonl');
  const judge = await throughProxy(
    [named(faults, 'create-name-lower-case')],
    async (say, live) => {
      await ordinaryDay(say);
      live.look();
      await say('GET', '/pets', { key: 'another-key-of-somebody' });
    },
    { ledger, redact: ['x-tenant'] },
  );
  expect(violated(judge)).toEqual(['createPet.echo']);
  const text = readFileSync(path, 'utf8');
  expect(text).not.toContain(KEY);
  expect(text).not.toContain('another-key-of-somebody');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ _hasBodies }) => !_hasBodies)).toHaveLength(13);
  const withBodies = lines.filter(({ response, request }) => response.content.text ?? request.postData);
  expect(withBodies.map(({ request }) => request.method)).toEqual(['POST', 'POST']);
  const har = join(folder, 'evidence.har');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(har, [...harOfLedger(path)].join(''));
  for (const file of [path, har]) {
    const again = await judgeFile(file);
    expect(violatedIn(again.findings)).toEqual(['createPet.echo']);
    expect(again.files).toMatchObject([{ entries: 13, judged: 13, omissions: { 'body-missing': 11 } }]);
    expect(again.keys).toBe(1);
  }
});

test('an exchange that the ledger has again with its bodies is judged once, also where a part ends between', async () => {
  const { path, ledger } = ledgerIn('parts.jsonl');
  const capture = recordingCapture(contract, []);
  const captured = Array.from({ length: 2_200 }, (_, index) => {
    const body = index % 90 === 0 ? '[{"id":"x"}]' : '[]';
    const read = recordedOf(passedAt(index, { responseBody: { bytes: body, size: body.length } }), index + 1);
    if ('omitted' in read) throw new Error(read.omitted);
    return capture(read.recorded) as Captured;
  });
  for (const part of [captured.slice(0, 1_000), captured.slice(1_000, 2_100), captured.slice(2_100)]) {
    for (const each of part) ledger.add(each);
    for (const each of part.filter(({ entry = 0 }) => entry % 90 === 1)) ledger.addEvidence(each);
  }
  ledger.close();
  const checks = allChecks(contract).filter(({ requirement }) => requirement === 'Pet.id');
  const files = [{ name: path, entries: readRecording(path, process.stdin) }];
  const judged = await judgeRecordings(contract, checks, files, { servers: {}, redact: [] });
  expect(judged.files).toEqual([
    { name: path, entries: 2_200, judged: 2_200, omissions: { 'body-missing': 2_175 } },
  ]);
  expect(violatedIn(judged.findings)).toEqual(['Pet.id']);
});

test('all bodies are kept on request, and configured fields are replaced', async () => {
  const { path, ledger } = ledgerIn('bodies.jsonl', { keepsBodies: true });
  await throughProxy(
    [],
    async (say) => {
      await say('GET', '/pets', {
        headers: { 'X-Tenant': 'the-tenant', cookie: 'session=a-cookie-1234567' },
      });
      await say('POST', '/pets', { body: { name: 'Rex', categoryId: 1, owner: 'the-owner' } });
    },
    { ledger, redact: ['x-tenant', 'owner'] },
  );
  ledger.close();
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('"text":"[{');
  for (const secret of ['the-tenant', 'the-owner', 'a-cookie-1234567', KEY])
    expect(text).not.toContain(secret);
});

test('a full ledger says what it stopped keeping, keeps evidence, and judging goes on', () => {
  const { path, ledger } = ledgerIn('full.jsonl', { most: 40_000 });
  const judge = liveJudge({ servers: { baseUrl: 'http://a.example/v1' }, ledger });
  for (let at = 0; at < 200; at += 1) judge.add(passedAt(at));
  judge.add(passedAt(200, { responseBody: { bytes: '{}', size: 2 } }));
  const { state, newFindings } = judge.look() ?? {};
  expect(newFindings).toMatchObject([{ requirement: 'listPets.200.body' }]);
  expect(state?.judged).toBe(201);
  expect(state?.ledger?.bytes).toBeLessThanOrEqual(40_000);
  expect((state?.ledger?.kept ?? 0) + (state?.ledger?.notKept ?? 0)).toBe(201);
  expect(state?.ledger?.notKept).toBeGreaterThan(100);
  expect(readFileSync(path, 'utf8')).toContain('"text":"{}"');
});

test('memory stays bounded, however many exchanges pass', () => {
  const judge = liveJudge({ servers: { baseUrl: 'http://a.example/v1' } });
  const large = `[${'{"id":1,"name":"Rex","categoryId":1},'.repeat(300)}{"id":2,"name":"Rex","categoryId":1}]`;
  const held = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 1024 / 1024;
  };
  const soak = (from: number, count: number) => {
    for (let at = from; at < from + count; at += 1) {
      const isLarge = at % 40 === 0;
      judge.add(
        passedAt(at, {
          requestHeaders: ['Authorization', `Bearer key-number-${at % 300}`, 'User-Agent', `client/${at}`],
          ...(isLarge ? { responseBody: { bytes: large, size: large.length } } : {}),
        }),
      );
      if (at % 1_000 === 999) judge.look();
    }
  };
  const count = isNightly ? 2_000 : 400;
  soak(0, count);
  const before = held();
  soak(count, count);
  expect(held() - before).toBeLessThan(60);
  expect(judge.close().judged.files[0]?.judged).toBe(2 * count);
});

test('whatever bytes pass, they are judged', () => {
  const judge = liveJudge({ servers: { baseUrl: 'http://a.example/v1' } });
  const bytes = '\xff\xfe{"id":';
  judge.add(passedAt(1, { responseBody: { bytes, size: bytes.length } }));
  judge.add(
    passedAt(2, { responseHeaders: ['Content-Encoding', 'gzip', 'content-type', 'application/json'] }),
  );
  judge.add(passedAt(3, { method: 'POST', requestBody: { bytes: '\xff', size: 1 }, status: 400 }));
  judge.add(passedAt(4, { responseBody: { size: 9_000_000 } }));
  judge.add(passedAt(5, { responseHeaders: ['X-Cache', 'HIT', 'Date', 'x'] }));
  judge.add(passedAt(6, { url: 'http://a.example/v1/pets/%ff%00?limit=%zz' }));
  const nested = '['.repeat(3_000_000);
  judge.add(passedAt(7, { responseBody: { bytes: nested, size: nested.length } }));
  judge.omit('unreachable', 2);
  const { judged } = judge.close();
  expect(judged.files).toMatchObject([
    { entries: 9, omissions: { cached: 1, unreachable: 2, 'body-missing': 2 } },
  ]);
});
