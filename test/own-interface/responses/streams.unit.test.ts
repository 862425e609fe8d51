import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { judgeRecordings } from '../../../src/recording/judge-recording.ts';
import { readRecording } from '../../../src/recording/reading/read-recording.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { runThroughProxy } from '../../document-server/served-run.ts';
import { harOf, violatedIn } from '../../recordings/recorded-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'petspec-streams-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const EVENTS = 'text/event-stream';
const LINES = 'application/x-ndjson';
const TEXTS = 'application/json-seq';

const event = {
  type: 'object',
  required: ['event', 'data'],
  properties: {
    event: { enum: ['added', 'removed'] },
    data: { type: 'string', pattern: '^[a-z]+(\\n[a-z]+)*$' },
    id: { type: 'string', pattern: '^[0-9]+$' },
    retry: { type: 'integer', minimum: 100 },
  },
  additionalProperties: false,
};
const entry = { type: 'object', required: ['at'], properties: { at: { type: 'integer' } } };

function documentOf(type: string) {
  const content = { [type]: { itemSchema: type === EVENTS ? event : entry } };
  const get = { operationId: 'watch', responses: { 200: { description: 'What happens.', content } } };
  return { openapi: '3.2.0', info: { title: 'Log', version: '1' }, paths: { '/log': { get } } };
}

/** A service that sends a stream, which goes on without end if `isEndless`. */
async function streaming(type: string, body: string, isEndless: boolean): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': type });
    response.write(body);
    if (!isEndless) response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a run, the proxy between them, and a recording of what passed find. */
async function judged(type: string, body: string, isEndless = false) {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(documentOf(type)));
  const baseUrl = await streaming(type, body, isEndless);
  const { run, traffic, reached, exchanges } = await runThroughProxy(file, baseUrl, {});
  const har = join(folder, 'traffic.har');
  writeFileSync(har, harOf(exchanges, baseUrl));
  const { contract, checks } = await interfaceOf({ interface: file });
  const recording = { name: har, entries: readRecording(har, process.stdin) };
  const again = await judgeRecordings(contract, checks, [recording], { servers: { baseUrl }, redact: [] });
  const idsOf = (all: typeof run) => all.map(({ requirement }) => requirement);
  return {
    reached,
    run: idsOf(run),
    traffic: idsOf(traffic),
    recording: violatedIn(again.findings),
    words: run,
  };
}

const conforming = { reached: 1, run: [], traffic: [], recording: [] };

test.each<[what: string, type: string, body: string]>([
  ['events', EVENTS, 'event: added\ndata: rex\nid: 1\nretry: 100\n\nevent: removed\ndata: max\n\n'],
  [
    'comments, data of several lines, CRLF',
    EVENTS,
    ': hello\r\n\r\nevent: added\r\ndata: rex\r\ndata: max\r\n\r\n',
  ],
  [
    'unknown fields, and a last event that nothing ends',
    EVENTS,
    'event: added\nx: 1\ndata: rex\n\nevent: wr',
  ],
  ['no event at all', EVENTS, ': keep-alive\n\n'],
  ['lines, the last of them without an end', LINES, '{"at":1}\n{"at":2}'],
  ['blank lines', LINES, '\n{"at":1}\n\n'],
  ['nothing', LINES, ''],
  ['texts over several lines', TEXTS, '\u001e{\n"at": 1\n}\n\u001e{"at": 2}\n'],
])('a stream conforms: %s', async (_what, type, body) => {
  expect(await judged(type, body)).toMatchObject(conforming);
});

test.each<[what: string, type: string, body: string, requirement: string]>([
  [
    'an event of another name',
    EVENTS,
    'event: added\ndata: rex\n\nevent: other\ndata: max\n\n',
    'watch.200.body.event',
  ],
  ['data of another form', EVENTS, 'event: added\ndata: Rex\n\n', 'watch.200.body.data'],
  ['a retry that is too short', EVENTS, 'event: added\nretry: 5\ndata: rex\n\n', 'watch.200.body.retry'],
  ['an event without its name', EVENTS, 'data: rex\n\n', 'watch.200.body.event'],
  ['a line that lacks a field', LINES, '{"at":1}\n{}\n', 'watch.200.body.at'],
  ['a line that is not JSON', LINES, '{"at":1}\n{"at":\n{"at":3}\n', 'service.json'],
  ['one JSON list in place of lines', LINES, '[\n{"at":1},\n{"at":2}\n]\n', 'service.json'],
  ['a text of another type', TEXTS, '\u001e{"at": "1"}\n', 'watch.200.body.at'],
])('a stream does not conform: %s', async (_what, type, body, requirement) => {
  const found = [requirement];
  expect(await judged(type, body)).toMatchObject({
    reached: 1,
    run: found,
    traffic: found,
    recording: found,
  });
});

test('of a stream without an end, what came is judged, and the line that was cut is not', async () => {
  expect(await judged(LINES, '{"at":1}\n{"at":', true)).toMatchObject(conforming);
  const found = ['watch.200.body.at'];
  const wrong = await judged(LINES, '{"at":"1"}\n{"at":', true);
  expect(wrong).toMatchObject({ run: found, traffic: found, recording: found });
  expect(wrong.words[0]?.words).toContain('received "1"');
});

test('a text of several lines ends where the next one begins', async () => {
  expect(await judged(TEXTS, '\u001e{"at":1}\n\u001e{\n "at": 2,\n', true)).toMatchObject(conforming);
  const found = ['watch.200.body.at'];
  const wrong = await judged(TEXTS, '\u001e{\n "at": "1"\n}\n\u001e{\n', true);
  expect(wrong).toMatchObject({ run: found, traffic: found });
});

test('of a stream without an end that is large, the beginning is judged', async () => {
  const many = '{"at":1}\n'.repeat(50_000);
  expect(await judged(LINES, many, true)).toMatchObject(conforming);
  const found = ['watch.200.body.at'];
  expect(await judged(LINES, `{"at":"1"}\n${many}`, true)).toMatchObject({ run: found, traffic: found });
});
