import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Exchange, Failure, FailureKind, HeaderLine } from '../../src/model/exchange.ts';
import { readRateLimit } from '../../src/model/limits/rate-limit.ts';
import { redactor } from '../../src/secrets/redact.ts';
import { decode } from '../../src/session/http/read-response.ts';
import { hostileText } from './texts.ts';
import { changedTree, type TreeChange, treeChange } from './trees.ts';

/** JSON texts that no serializer of ours would write. */
const RAW = [
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '1.0',
  '1E+2',
  '9223372036854775808',
  `1${'0'.repeat(5_000)}`,
  `0.${'9'.repeat(5_000)}`,
  `1e${'9'.repeat(400)}`,
  '{"id":1,"id":2}',
  '{"id":1,"id":1}',
  '{"__proto__":{"id":1,"name":"x","categoryId":1}}',
  '{"id":1,"name":"x","categoryId":1,"__proto__":null}',
  '{"constructor":{"prototype":{"id":1}},"hasOwnProperty":1,"toString":2,"valueOf":3,"toJSON":4}',
  '"\\ud800"',
  '"\\u0000"',
  '"\u0000"',
  '01',
  '+1',
  'NaN',
  'Infinity',
  "'x'",
  '[1,]',
  '/**/1',
  '',
  `${'['.repeat(511)}${']'.repeat(511)}`,
  `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`,
  '['.repeat(20_000),
  `"${'x'.repeat(20_000)}"`,
];

/** What takes the place of the body that came: the same with changes, or something else. */
type BodyChange =
  | { kind: 'tree'; changes: TreeChange[]; raw: string | undefined }
  | { kind: 'text'; edits: { at: number; take: number; put: string }[] }
  | { kind: 'bytes'; bytes: Uint8Array };

const bodyChange: fc.Arbitrary<BodyChange> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('tree' as const),
      changes: fc.array(treeChange, { minLength: 1, maxLength: 3 }),
      raw: fc.option(fc.constantFrom(...RAW), { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      edits: fc.array(
        fc.record({
          at: fc.double({ min: 0, max: 1, noNaN: true }),
          take: fc.nat(30),
          put: fc.oneof(hostileText, fc.constantFrom(...RAW)),
        }),
        { maxLength: 3 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('bytes' as const),
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom(...RAW).map((text) => Buffer.from(text)),
        fc.constantFrom('utf16le' as const, 'latin1' as const).map((code) => Buffer.from('{"id":"ä"}', code)),
        fc.constant(Buffer.from('\ufeff[]')),
      ),
    }),
  },
);

/** Header names that petspec reads, and values that are nearly or not at all what they should be. */
const NAMES = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Content-Type',
  'Date',
  'Deprecation',
  'Sunset',
  'Link',
  'WWW-Authenticate',
  'Location',
  'X-Total-Count',
];
const VALUES = [
  '',
  '0',
  '-1',
  '60',
  '60, 60',
  '60, 59',
  ',,,',
  '1e3',
  '60.0',
  '0x3c',
  '9'.repeat(15),
  '9'.repeat(400),
  'NaN',
  'Infinity',
  'Thu, 05 Dec 2030 00:00:00 GMT',
  'Thu, 31 Feb 2030 00:00:00 GMT',
  'Thursday, 05-Dec-30 00:00:00 GMT',
  'Thu Dec  5 00:00:00 2030',
  '@1764547200',
  'application/json',
  'application/json; charset="utf-8',
  'text/html',
  '"',
  '<https://evil.example>; rel="next"',
  '\u00e4\u0000\u001b[31m',
];

interface HeaderChange {
  kind: 'delete' | 'set' | 'double' | 'recase';
  at: number;
  name: string;
  value: string;
}

const headerChange: fc.Arbitrary<HeaderChange> = fc.record({
  kind: fc.constantFrom('delete', 'set', 'double', 'recase'),
  at: fc.nat(100),
  name: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...NAMES) }, hostileText),
  value: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...VALUES) }, hostileText),
});

/** How a body is sent, and what Content-Encoding says: right, wrong, or nothing known. */
const CODINGS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  'gzip, br': (bytes) => brotliCompressSync(gzipSync(bytes)),
};

export interface Answer {
  status: number | undefined;
  headers: HeaderChange[];
  body: BodyChange;
  coding: { done: string; said: string } | undefined;
  failure: Failure | undefined;
  /** ms by which petspec's clock was moved while the answer was awaited. */
  shift: number;
}

const FAILURES: readonly FailureKind[] = [
  'refused',
  'closed',
  'reset',
  'timeout',
  'not-http',
  'framing',
  'other',
];

/** Anything that may come of a request. */
export const answer: fc.Arbitrary<Answer> = fc.record({
  status: fc.option(
    fc.oneof(
      fc.constantFrom(200, 201, 202, 204, 301, 400, 401, 404, 429, 500),
      fc.integer({ min: 0, max: 999 }),
    ),
    { nil: undefined },
  ),
  headers: fc.array(headerChange, { maxLength: 4 }),
  body: bodyChange,
  coding: fc.option(
    fc.record({
      done: fc.constantFrom(...Object.keys(CODINGS)),
      said: fc.constantFrom(...Object.keys(CODINGS), 'x-gzip', 'zstd', ',', 'gzip,gzip'),
    }),
    { nil: undefined, freq: 5 },
  ),
  failure: fc.option(
    fc.record({
      kind: fc.constantFrom(...FAILURES),
      phase: fc.constantFrom('headers' as const, 'body' as const),
      message: hostileText,
    }),
    { nil: undefined, freq: 8 },
  ),
  shift: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: -1e9, max: 1e9 })),
});

const redact = redactor('a-key-of-a-test');

/** An exchange with another answer, captured as the session captures one. */
export function withAnswer(exchange: Exchange, { failure, shift, ...received }: Answer): Exchange {
  const { response: _response, failure: _failure, ...sent } = exchange;
  const receivedAt = exchange.receivedAt + shift;
  if (failure) return { ...sent, receivedAt, failure, rate: {} };
  const { coding } = received;
  const plain = changedBody(exchange.response?.body ?? '', received.body);
  const bytes = coding ? (CODINGS[coding.done]?.(plain) ?? plain) : plain;
  const own = (exchange.response?.headers ?? []).filter(([name]) => !/^content-encoding$/i.test(name));
  const changed = received.headers.reduce(changedHeaders, own);
  const headers: HeaderLine[] = coding ? [...changed, ['content-encoding', coding.said]] : changed;
  const response = decode(received.status ?? exchange.response?.status ?? 200, headers, bytes);
  return {
    ...sent,
    receivedAt,
    response: { ...response, body: redact(response.body) },
    rate: readRateLimit(headers, receivedAt),
  };
}

function changedBody(body: string, change: BodyChange): Buffer {
  if (change.kind === 'bytes') return Buffer.from(change.bytes);
  if (change.kind === 'text') {
    const text = change.edits.reduce((all, { at, take, put }) => {
      const from = Math.floor(at * all.length);
      return all.slice(0, from) + put + all.slice(from + take);
    }, body);
    return Buffer.from(text);
  }
  const { changes, raw } = change;
  const token = 'raw-json-goes-here';
  const values = raw === undefined ? changes : changes.map((each) => ({ ...each, value: token }));
  const tree = values.reduce<unknown>(changedTree, jsonOf(body) ?? {});
  return Buffer.from(JSON.stringify(tree).replaceAll(`"${token}"`, () => raw ?? ''));
}

/** An answer may have been changed before. */
function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function changedHeaders(lines: HeaderLine[], { kind, at, name, value }: HeaderChange): HeaderLine[] {
  const place = lines.length === 0 ? 0 : at % lines.length;
  const line = lines[place];
  if (kind === 'set' || !line)
    return [...lines.filter(([each]) => each !== name.toLowerCase()), [name, value]];
  if (kind === 'delete') return lines.toSpliced(place, 1);
  if (kind === 'double') return [...lines, [line[0], value]];
  return lines.with(place, [line[0].toUpperCase(), line[1]]);
}
