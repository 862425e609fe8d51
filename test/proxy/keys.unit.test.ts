import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Credential } from '../../src/model/contract.ts';
import { LiveJudge } from '../../src/proxy/judging/live-judge.ts';
import { TrafficLedger } from '../../src/proxy/judging/traffic-ledger.ts';
import { judgeRecordings } from '../../src/recording/judge-recording.ts';
import { readRecording } from '../../src/recording/reading/read-recording.ts';
import { contractOf, operation } from '../operations/operations.ts';
import { passedAt } from './judged.ts';

const folder = mkdtempSync(join(tmpdir(), 'petspec-proxy-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const servers = { baseUrl: 'http://a.example' };

test.each<[string, Credential, (key: string) => { requestHeaders?: string[]; url?: string }]>([
  [
    'a header',
    { in: 'header', name: 'X-Api-Key' },
    (key) => ({ requestHeaders: ['Accept', 'application/json', 'X-Api-Key', key] }),
  ],
  [
    'the query',
    { in: 'query', name: 'api_key' },
    (key) => ({ url: `http://a.example/things?api_key=${key}` }),
  ],
  ['a cookie', { in: 'cookie', name: 'sid' }, (key) => ({ requestHeaders: ['Cookie', `sid=${key}`] })],
])('the ledger tells keys apart that are in %s, without them', async (_, credential, sent) => {
  const path = join(folder, `${credential.in}.jsonl`);
  const contract = contractOf([operation({ secured: true, credential })]);
  const ledger = new TrafficLedger(path, { most: 1_000_000, keepsBodies: false });
  const live = new LiveJudge(contract, [], { servers, redact: [], ledger });
  const url = 'http://a.example/things';
  for (const at of [0, 1, 2, 3, 4, 5])
    live.add(passedAt(at, { url, ...sent(`key-${at % 3}-of-somebody-4711`) }));
  const { judged } = live.close();
  const entries = readRecording(path, process.stdin);
  const again = await judgeRecordings(contract, [], [{ name: path, entries }], { servers, redact: [] });
  expect([judged.keys, again.keys]).toEqual([3, 3]);
  expect(readFileSync(path, 'utf8')).not.toContain('of-somebody');
});
