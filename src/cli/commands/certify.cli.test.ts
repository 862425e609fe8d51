import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test as oneTest } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { writeCertifyFiles } from '../../../test/certificates/certify-files.ts';
import { quickReference } from '../../../test/certificates/quick-reference.ts';
import { hangingService } from '../../../test/command-line/command-line.ts';
import { concurrentTest as test, testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

const KEY = 'a-key-of-a-test';
const DIGEST = 'ab'.repeat(32);
const { line, petspec, inFolder } = testedCommandLine(KEY);

beforeAll(() => {
  writeCertifyFiles(line.folder, KEY);
});

/** The same key twice. */
const TWICE = ['--key', 'verify.pem', '--key', 'verify.pem'];

/** Its service answers from this process in real time: nothing else may keep it waiting. */
const testAlone = (name: string, body: () => Promise<void>) => oneTest(name, body, 120_000);
const write = (name: string, content: string | Buffer) => writeFileSync(inFolder(name), content);
const read = (...names: string[]) => readFileSync(inFolder(...names));
const json = (...names: string[]) => JSON.parse(read(...names).toString());

testAlone('certified, signed, verified with the public key alone; a flipped bit is refused', async () => {
  const reference = await quickReference(KEY);
  const target = [reference.baseUrl, '--api-url', reference.apiUrl, '--limit', '120'];
  const subjects = ['--subject', `registry.example.com/store@sha256:${DIGEST}`, '--subject', 'store.tar'];
  const run = await line.petspec(
    'certify',
    ...target,
    ...subjects,
    '--sign-key',
    'sign.pem',
    '--quiet',
    '--out',
    'good',
  );
  await reference.close();
  expect(run).toMatchObject({ status: 0, err: '' });
  expect(run.out).toMatch(
    /^conformant: .*\ncertified and signed: good\/certificate\.json {2}good\/certificate\.target\.json {2}good\/certificate\.svr\.json\n$/,
  );
  const checked = ['--key', 'verify.pem', '--report', 'good/report.json'];
  const verified = await line.petspec('verify', 'good/certificate.json', ...checked);
  expect(verified).toMatchObject({ status: 0, err: '' });
  expect(verified.out).toMatch(/^valid and signed: good\/certificate\.json\nit proves that\n/);
  expect(verified.out).toContain(`store@sha256:${DIGEST}`);
  expect(verified.out).toContain(reference.baseUrl);
  expect(verified.out).toContain('you must trust whoever certified it');
  const other = await line.petspec('verify', 'good/certificate.json', '--key', 'stranger.pem');
  expect(other).toMatchObject({ status: 1, err: '' });
  expect(other.out).toMatch(/^refused: good\/certificate\.json: the key [0-9a-f]{64} did not sign it/);
  const flipped = read('good', 'certificate.json');
  flipped[3000] = (flipped[3000] ?? 0) ^ 1;
  write('flipped.json', flipped);
  expect(await petspec('verify', 'flipped.json', ...checked)).toMatchObject({ status: 1 });
  expect((await petspec('verify', 'good/certificate.json')).out).toMatch(
    /^intact, signature not checked: good\/certificate\.json\n/,
  );
  const artefact = [
    '--target',
    `${reference.baseUrl}/`,
    '--subject',
    'store.tar',
    '--subject',
    `sha256:${DIGEST}`,
  ];
  const bound = await petspec('verify', 'good/certificate.json', ...TWICE, ...artefact);
  expect(bound).toMatchObject({ status: 0, err: '' });
  expect(bound.out.match(/the holder of the key/g)).toHaveLength(2);
  for (const [option, value] of [
    ['--target', 'https://staging.example.com/v1'],
    ['--subject', 'verify.pem'],
    ['--subject', 'other.tar'],
  ] as const)
    expect(await petspec('verify', 'good/certificate.json', ...TWICE, option, value)).toMatchObject({
      status: 1,
      out: expect.stringMatching(/^refused: good\/certificate\.json: it is for [^\n]*\n$/),
    });
  write('other-report.json', `${read('good', 'report.json')} `);
  const changed = await petspec('verify', 'good/certificate.json', '--report', 'other-report.json');
  expect(changed).toMatchObject({ status: 1, out: expect.stringContaining('the report does not match') });
  for (const name of ['certificate.json', 'certificate.target.json', 'certificate.svr.json', 'report.json'])
    expect(read('good', name).toString()).not.toContain(KEY);
  const payload = Buffer.from(json('good', 'certificate.json').payload, 'base64').toString();
  const sum = createHash('sha256').update(read('store.tar')).digest('hex');
  expect(JSON.parse(payload).subject).toEqual([
    { name: 'registry.example.com/store', digest: { sha256: DIGEST } },
    { name: 'store.tar', digest: { sha256: sum } },
  ]);
});

test('unsigned, of the bundled reference: a statement that says so, and a badge', async () => {
  expect(await petspec('certify', '--quiet', '--out', 'bundled')).toMatchObject({ status: 0 });
  expect(json('bundled', 'certificate.json')).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    predicate: { result: 'PASSED' },
  });
  expect(await petspec('verify', 'bundled/certificate.json')).toMatchObject({
    status: 1,
    out: expect.stringMatching(
      /^refused: [^\n]* not for a service; to accept that, pass --allow-reference\n$/,
    ),
  });
  const verified = await petspec('verify', 'bundled/certificate.json', '--allow-reference');
  expect(verified.out).toContain("petspec's own reference, which is not a service");
  expect(verified.out).toContain('anybody can write such a file');
  expect(verified).toMatchObject({ status: 0, out: expect.stringMatching(/^intact, not signed: /) });
  expect(await petspec('verify', 'bundled/certificate.json', '--key', 'verify.pem')).toMatchObject({
    status: 1,
  });
  expect(json('bundled', 'badge.json')).toEqual({
    schemaVersion: 1,
    label: 'petspec',
    message: 'conformant',
    color: 'brightgreen',
  });
  const badge = read('bundled', 'badge.svg').toString();
  const { valid } = await validateXML({ xml: { fileName: 'badge.svg', contents: badge }, schema: [ANY] });
  expect(valid).toBe(true);
  expect(badge).toContain('<title id="title">petspec: conformant</title>');
  expect(badge.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|href|url\(|<script|<image/);
});

/** A schema that takes any element of SVG: what is left to be wrong is the XML. */
const ANY = {
  fileName: 'any.xsd',
  contents: `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/2000/svg">
    <xs:element name="svg"><xs:complexType><xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/></xs:sequence>
    <xs:anyAttribute processContents="skip"/></xs:complexType></xs:element></xs:schema>`,
};

testAlone('a service that does not conform: 1, one line, no certificate, a badge that says so', async () => {
  const reference = await quickReference(KEY, 'list-one-too-many');
  const target = [reference.baseUrl, '--api-url', reference.apiUrl, '--limit', '120'];
  const { status, err } = await petspec('certify', ...target, '--quiet', '--out', 'bad');
  await reference.close();
  expect({ status, err: err.split('\n').at(-2) }).toEqual({
    status: 1,
    err: 'petspec: no certificate: 1 requirement violated',
  });
  expect(existsSync(inFolder('bad', 'certificate.json'))).toBe(false);
  expect(json('bad', 'badge.json')).toMatchObject({ message: 'non-conformant', color: 'red' });
});

test('an interrupted run: 3, one line, no certificate', async () => {
  const { url, hangs, close } = await hangingService(1);
  const options = ['certify', url, '--api-url', 'http://127.0.0.1:9', '--out', 'interrupted'];
  const { child, ended } = line.start(options);
  await hangs;
  child.kill('SIGINT');
  const { status, err } = await ended;
  close();
  expect(err).toMatch(/\npetspec: no certificate: the run was interrupted[^\n]*\n$/);
  expect(status).toBe(3);
  expect(existsSync(inFolder('interrupted', 'certificate.json'))).toBe(false);
});

test('what is known before anything is sent: 3, one line, nothing written', async () => {
  const alone = await petspec('certify', 'http://127.0.0.1:9/v1', '--out', 'early');
  expect(alone).toMatchObject({
    status: 3,
    out: '',
    err: 'petspec: no certificate: no --api-url leaves requirements untested; nothing was sent\n',
  });
  const based = await petspec('certify', '--baseline', 'known.yaml', '--out', 'early');
  expect(based).toMatchObject({
    status: 3,
    out: '',
    err: 'petspec: no certificate: the baseline known.yaml is in use; nothing was sent\n',
  });
  const named = await petspec('certify', 'named', '--config', 'named.yaml', '--out', 'early');
  expect(named.err).toBe('petspec: no certificate: the baseline mistaken.yaml is in use; nothing was sent\n');
  const options = [
    'https://127.0.0.1:9/v1',
    '--api-url',
    'https://127.0.0.1:9',
    '--insecure',
    '--out',
    'early',
  ];
  const unsure = await petspec('certify', ...options);
  expect(unsure).toMatchObject({
    status: 3,
    out: '',
    err: expect.stringMatching(/^petspec: no certificate: --insecure [^\n]*\n$/),
  });
  expect(existsSync(inFolder('early'))).toBe(false);
});

test('a refusal leaves no earlier certificate or badge beside it, and says so; all else stays', async () => {
  mkdirSync(inFolder('refused'));
  for (const name of [
    'certificate.json',
    'certificate.target.json',
    'certificate.svr.json',
    'badge.svg',
    'badge.json',
    'report.json',
  ])
    write(join('refused', name), 'was there before');
  const { status, err } = await petspec('certify', '--baseline', 'known.yaml', '--out', 'refused');
  expect(status).toBe(3);
  expect(err).toMatch(
    /; nothing was sent; removed the files of an earlier run: refused\/certificate\.json, /,
  );
  expect(readdirSync(inFolder('refused'))).toEqual(['report.json']);
});

test('a baseline: written, asked for comments, matched: 0; what an earlier certify left is taken away', async () => {
  const earlier = ['certificate.json', 'certificate.target.json', 'badge.svg', 'badge.json'];
  mkdirSync(inFolder('based'));
  for (const name of earlier) write(join('based', name), 'was there before');
  // It counts its requests down: each run has one of its own, which begins anew.
  const services = [await hangingService(1_000), await hangingService(1_000)];
  const [first, second] = services.map(({ url }) => url);
  const run = (...options: string[]) =>
    petspec('run', ...options, '--read-only', '--no-exhaust', '--quiet', '--out', 'based');
  expect(await run(String(first), '--write-baseline', 'based.yaml')).toMatchObject({
    status: 1,
    err: expect.stringMatching(/^petspec: based\.yaml: written; fill in \d+ comments\n$/),
  });
  write('based.config.yaml', `targets: { second: { baseUrl: '${second}', baseline: based.yaml } }`);
  expect(await run('--all', '--config', 'based.config.yaml')).toMatchObject({ status: 0 });
  const reportOfAll = json('based', 'second', 'report.json').baseline;
  const known = await petspec('report', 'based/second', '--quiet', '--baseline', 'based.yaml');
  expect(known).toMatchObject({ status: 0, err: '' });
  expect(known.out).toMatch(/^non-conformant \(/m);
  expect(known.out).toMatch(/^Violations: \d+ known, none that based\.yaml does not list: exit status 0$/m);
  const unknown = await petspec('report', 'based/second', '--quiet');
  expect(unknown).toMatchObject({ status: 1, out: expect.not.stringContaining('based.yaml') });
  for (const { close } of services) close();
  for (const name of earlier) expect(existsSync(inFolder('based', name))).toBe(false);
  expect(reportOfAll).toMatchObject({ file: 'based.yaml', outcome: 'exact' });
});

test('a file that is not a certificate is refused: 1, one line', async () => {
  const { status, out, err } = await petspec('verify', 'store.tar');
  expect({ status, out, err }).toEqual({
    status: 1,
    out: 'refused: store.tar: not a JSON object\n',
    err: '',
  });
});

test('the certificate of the bundled reference costs what a run announces', async () => {
  const { status, err } = await petspec('certify', '--out', 'of-the-reference');
  const announced = /^judging the bundled reference in virtual time: (.*)$/m.exec(err)?.[1];
  const planned = await petspec('run', '--dry-run');
  expect(status).toBe(0);
  expect(planned.out.split('\n')).toContain(announced);
});
