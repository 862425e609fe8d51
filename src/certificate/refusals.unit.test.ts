import { expect, test, vi } from 'vitest';
import {
  criteria,
  privateKey,
  publicKey,
  refusals,
  report as sample,
  statementIn,
  stranger,
} from '../../test/certificates/sealed-certificates.ts';
import { contract } from '../../test/reports/sample-runs.ts';
import type { Report } from '../model/report/report.ts';
import { DEFAULT_OPTIONS, type RunOptions } from '../run/options.ts';
import { certificateOf } from './issue.ts';
import { meaningOf } from './meaning.ts';
import { readCertificate, repeatedName } from './read.ts';
import { fingerprintOf, seal } from './signing.ts';
import { type CertifiedArtifact, type Statement, serialized, sha256 } from './statement.ts';

// Whole runs take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const STORE: CertifiedArtifact = { name: 'registry.example.com/store', digest: { sha256: 'ab'.repeat(32) } };
const TAR: CertifiedArtifact = { name: 'store.tar', digest: { sha512: 'cd'.repeat(64) } };
const STAGING = 'https://staging.example.com/v1';
const report: Report = { ...sample, target: { ...sample.target, baseUrl: STAGING } };

/** What whoever holds a key may sign: a certificate of any run with any options. */
function signed(
  more: {
    options?: Partial<RunOptions>;
    report?: Partial<Report>;
    subjects?: readonly CertifiedArtifact[];
  } = {},
): Buffer {
  const options = { ...DEFAULT_OPTIONS, baseUrl: STAGING, ...more.options };
  const { subjects = [STORE, TAR] } = more;
  const wanted = { options, subjects, reportDigest: sha256('a report'), key: privateKey };
  return certificateOf(contract, { ...report, ...more.report }, wanted).file;
}

/** A bundled reference's certificate: the options name no target. */
function ofReference(): Buffer {
  const { baseUrl: _, ...options } = { ...DEFAULT_OPTIONS, baseUrl: STAGING };
  const wanted = { options, subjects: [], reportDigest: sha256('a report'), key: privateKey };
  return certificateOf(contract, report, wanted).file;
}

const payloadOf = (file: Buffer) => Buffer.from(JSON.parse(file.toString()).payload, 'base64').toString();
const sealed = (payload: string) => serialized(seal(Buffer.from(payload), privateKey));

test('a certificate of another target is refused', () => {
  expect(refusals(signed(), { target: STAGING })).toEqual([]);
  const other = 'https://api.example.com/v1';
  expect(refusals(signed(), { target: other })).toEqual([`it is for ${STAGING}, not for ${other}`]);
});

test.each<[what: string, wanted: Partial<CertifiedArtifact>]>([
  ['its name', { name: STORE.name }],
  ['its digest', { digest: STORE.digest }],
  ['both', STORE],
  ['another one of it', TAR],
])('a certificate holds for what it names: %s', (_, wanted) => {
  expect(refusals(signed(), { subjects: [wanted] })).toEqual([]);
  expect(refusals(signed(), { subjects: [wanted, STORE, TAR] })).toEqual([]);
});

test.each<[what: string, wanted: Partial<CertifiedArtifact>]>([
  ['another name', { name: 'registry.example.com/other' }],
  ['the beginning of its name', { name: 'registry.example.com' }],
  ['another digest', { digest: { sha256: 'ef'.repeat(32) } }],
  ['the digest of another algorithm', { digest: { sha512: 'ab'.repeat(64) } }],
  ['the name of one and the digest of another', { name: STORE.name, digest: TAR.digest }],
])('a certificate of another subject is refused: %s', (_, wanted) => {
  const words = [expect.stringMatching(/^it is for .*store@sha256:.*, store\.tar@sha512:.*, not for /)];
  expect(refusals(signed(), { subjects: [wanted] })).toEqual(words);
  expect(refusals(signed(), { subjects: [STORE, wanted] })).toEqual(words);
});

test('without an artefact the target is what it is of', () => {
  const file = signed({ subjects: [] });
  expect(refusals(file, { subjects: [{ name: STAGING }] })).toEqual([]);
  expect(refusals(file, { subjects: [STORE] })).toHaveLength(1);
});

test('a certificate of the bundled reference is refused unless it is allowed, and is never that of a target', () => {
  expect(refusals(ofReference())).toEqual([expect.stringContaining('pass --allow-reference')]);
  expect(refusals(ofReference(), { allowsReference: true })).toEqual([]);
  expect(refusals(ofReference(), { allowsReference: true, target: STAGING })).toEqual([
    `it is for petspec's own reference, not for ${STAGING}`,
  ]);
});

const BASELINE = {
  file: 'known.yaml',
  outcome: 'exact',
  known: [],
  stale: [],
  unjudged: [],
  unknown: [],
} as const;

type Signed = NonNullable<Parameters<typeof signed>[0]>;

test.each<[what: string, more: Signed | (() => Signed), words: string]>([
  ['--only', { options: { only: ['listPets.*'] } }, '--only narrowed the run'],
  ['--read-only', { options: { readOnly: true } }, '--read-only narrowed the run'],
  ['--no-exhaust', { options: { exhaust: 'none' } }, '--no-exhaust narrowed the run'],
  ['--shared-key', { options: { sharedKey: true } }, '(--shared-key)'],
  ['--insecure', { options: { insecure: true } }, '(--insecure)'],
  [
    'an unverified target',
    () => ({ report: { target: { ...report.target, insecure: true } } }),
    '(--insecure)',
  ],
  ['a baseline', { report: { baseline: BASELINE as never } }, 'a baseline of known violations'],
  ['no message address', () => ({ report: { target: { ...report.target, apiUrl: null } } }), '(--api-url)'],
  [
    'an end before its start',
    () => ({ report: { finishedAt: new Date(Date.parse(report.startedAt) - 1).toISOString() } }),
    'before it began',
  ],
  [
    'no version',
    () => ({ report: { suite: { ...report.suite, version: 'newest' } } }),
    'newest, which does not exist',
  ],
  [
    'a version before the first',
    () => ({ report: { suite: { ...report.suite, version: '0.0.9' } } }),
    'not exist',
  ],
  [
    'a version of the future',
    () => ({ report: { suite: { ...report.suite, version: '99.0.0' } } }),
    'with a newer petspec',
  ],
])('a statement that contradicts itself is refused, in a line of its own: %s', (_, more, words) => {
  const file = signed(typeof more === 'function' ? more() : more);
  expect(refusals(file)).toEqual([expect.stringContaining(words)]);
});

test.each([
  ['0.0.1', '0.1.0', 'judged by the requirements of petspec 0.0.1, which do not exist'],
  ['newest', '0.1.0', 'judged by the requirements of petspec newest, which do not exist'],
  ['0.1.999', '0.2.0', 'judged by the requirements of petspec 0.1.999, which do not exist'],
  ['2.0.0', '0.1.0', 'made by petspec 0.1.0, which did not have the requirements of 2.0.0'],
  ['99.0.0', '0.1.0', 'made by petspec 0.1.0, which did not have the requirements of 99.0.0'],
])('a set that does not exist is refused: %s, by petspec %s', (set, version, words) => {
  const suite = { ...report.suite, version, set: { ...report.suite.set, version: set } };
  const advice = 'if it is for an interface of your own, name that with --interface';
  expect(refusals(signed({ report: { suite } }), { version: '9.0.0' })).toContain(
    `it was ${words}; ${advice}`,
  );
});

test("an interface of the user's own has versions of its own", () => {
  const own = { ...contract, set: '7.0.0' };
  const suite = { ...report.suite, version: '0.1.0', set: { ...report.suite.set, version: '7.0.0' } };
  const file = signed({ report: { suite } });
  const wanted = { version: '9.0.0', interface: 'shop.yaml' };
  expect(refusals(file, { ...wanted, contractOf: (set) => (set === own.set ? own : undefined) })).toEqual([]);
  expect(refusals(file, { ...wanted, contractOf: () => undefined })).toEqual([
    'it is not for the interface shop.yaml, or for another version of it; name the one of its run with --interface',
  ]);
});

test.each<[what: string, spoil: (statement: Statement) => unknown, words: string]>([
  [
    'another subject than its options',
    ({ subject: [, ...rest], ...statement }) => ({ ...statement, subject: rest }),
    'the subject differs from the one in the options',
  ],
  [
    'another result than its tests',
    ({ predicate, ...statement }) => ({ ...statement, predicate: { ...predicate, result: 'WARNED' } }),
    'the result does not match the tests',
  ],
  [
    'a part twice',
    ({ predicate, ...statement }) => ({
      ...statement,
      predicate: {
        ...predicate,
        configuration: [...predicate.configuration, { name: 'options', content: '"{' }],
      },
    }),
    "two parts named 'options'",
  ],
])('an older petspec is held to its word, too: %s', (_, spoil, words) => {
  const file = sealed(JSON.stringify(spoil(statementIn(signed()))));
  expect(refusals(file, { version: '9.0.0' })).toEqual([expect.stringContaining(words)]);
});

/** A statement with a document in it written otherwise, and the digest of what is written. */
function withDocument(name: string, change: (text: string) => string): string {
  const statement = statementIn(signed());
  const configuration = statement.predicate.configuration.map((part) => {
    if (part.name !== name) return part;
    const text = change(Buffer.from(part.content ?? '', 'base64').toString());
    return { ...part, content: Buffer.from(text).toString('base64'), digest: { sha256: sha256(text) } };
  });
  return JSON.stringify({ ...statement, predicate: { ...statement.predicate, configuration } });
}

test.each<[where: string, file: () => Buffer, name: string]>([
  [
    'the statement',
    () => sealed(payloadOf(signed()).replace('"result":', '"result": "FAILED", "result":')),
    'result',
  ],
  [
    'the statement, alike',
    () => sealed(payloadOf(signed()).replace(/("result": "\w+",)/, '$1 $1')),
    'result',
  ],
  [
    'an escape',
    () => sealed(payloadOf(signed()).replace('"result":', '"r\\u0065sult" : "FAILED", "result":')),
    'result',
  ],
  [
    'the envelope',
    () => Buffer.from(String(signed()).replace('"payload":', '"payload": "", "payload":')),
    'payload',
  ],
  [
    'the options',
    () => sealed(withDocument('options', (text) => text.replace('{', '{"readOnly": true,'))),
    'readOnly',
  ],
])('a JSON key that is there twice is refused: in %s', (_, file, name) => {
  expect(refusals(file(), { version: '9.0.0' })).toEqual([`duplicate JSON key "${name}" in one object`]);
});

const DEEP = `{"more": ${'['.repeat(30_000)}${']'.repeat(30_000)},`;

test.each<[where: string, file: () => Buffer, what: string]>([
  [
    'the subject',
    () => sealed(payloadOf(signed()).replace(/(?<="subject": \[\s*)\{/, DEEP)),
    'the statement',
  ],
  ['the statement', () => sealed(payloadOf(signed()).replace('{', DEEP)), 'the statement'],
  ['an unsigned one', () => Buffer.from(payloadOf(signed()).replace('{', DEEP)), 'the statement'],
  [
    'the options',
    () => sealed(withDocument('options', (text) => text.replace('{', DEEP))),
    "the document 'options'",
  ],
  [
    'the target',
    () => sealed(withDocument('target', (text) => text.replace('{', DEEP))),
    "the document 'target'",
  ],
])('JSON that is nested too deeply to be compared is refused: in %s', (_, file, what) => {
  expect(refusals(file())).toEqual([`${what} is nested more than 64 levels deep`]);
});

test.each<[text: string, name: string | undefined]>([
  ['{"a":{"b":1},"c":{"b":1},"d":["a","a",{"a":1},{"a":"a:"}]}', undefined],
  ['{"a":"\\"a\\":1","b":"{","c":"}"}', undefined],
  ['{"__proto__":1,"__proto__":1}', '__proto__'],
  ['[{"a":{"x":1}},{"b":1,"c":{"b":[{"z":1 ,"z"\n:1}]}}]', 'z'],
  [`{"long":"${'\\"'.repeat(5_000_000)}","a":1,"a":2}`, 'a'],
])('a repeated name, whatever is around it', (text, name) => {
  expect(repeatedName(Buffer.from(text))).toBe(name);
});

test('a subject that is known by its name alone is said to be no more', () => {
  const certificate = readCertificate(signed());
  if (typeof certificate === 'string') throw new Error(certificate);
  const words = (wanted: Partial<CertifiedArtifact>) =>
    meaningOf(certificate, criteria({ subjects: [wanted] }), []).doesNot.join('\n');
  expect(words({ name: TAR.name })).toContain('which store.tar it was: only the name matched');
  expect(words(TAR)).not.toContain('the name alone');
});

test('a key that signed twice counts once, and so does another one', () => {
  const file = JSON.parse(signed().toString());
  const payload = Buffer.from(file.payload, 'base64');
  const others = seal(payload, stranger.privateKey).signatures as { keyid: string; sig: string }[];
  const [own] = file.signatures;
  const signatures = [own, { sig: own.sig }, own, ...others, ...others];
  const certificate = readCertificate(serialized({ ...file, signatures }));
  if (typeof certificate === 'string') throw new Error(certificate);
  const { doesNot } = meaningOf(certificate, criteria(), []);
  expect(doesNot[0]).toBe('who else signed it: 1 signature not checked');
  const all = meaningOf(certificate, criteria({ keys: [publicKey, stranger.publicKey] }), []);
  expect(all.doesNot.join('\n')).not.toContain('not checked');
  expect(all.proves[0]).toContain(fingerprintOf(stranger.publicKey));
});
