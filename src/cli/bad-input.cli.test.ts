import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { testedCommandLine } from '../../test/command-line/tested-command-line.ts';

const { petspec, inFolder } = testedCommandLine();

beforeAll(() => {
  for (const name of ['empty', 'garbage']) mkdirSync(inFolder(name));
  writeFileSync(inFolder('garbage', 'ledger.jsonl'), 'garbage\n{}\n');
  writeFileSync(inFolder('garbage', 'report.json'), 'garbage');
  writeFileSync(inFolder('later.json'), '{"schemaVersion":99}');
  writeFileSync(inFolder('list.json'), '[]');
  writeFileSync(inFolder('hole.json'), '{"schemaVersion":1}');
  const document = { openapi: '3.1.0', info: { title: 'One', version: '1' }, paths: { '/x': { get: {} } } };
  for (const name of ['one.json', 'two.json']) writeFileSync(inFolder(name), JSON.stringify(document));
  writeFileSync(inFolder('two-lines'), 'a-secret\nanother-secret\n');
  writeFileSync(inFolder('utf-16.yaml'), Buffer.from('\ufefftargets: {}\n', 'utf16le'));
  const sample = readFileSync(new URL('../../reports/samples/broken/report.json', import.meta.url), 'utf8');
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  writeFileSync(inFolder('deep.json'), sample.replace('{', `{"more":${deep},`));
});

const DOCUMENTS = '--interface one.json --interface two.json';

const BAD: [what: string, options: string, line: string][] = [
  [
    'a format that does not exist',
    'run --format pdf',
    "--format: unknown format 'pdf'; expected one of json, ",
  ],
  [
    'a path of several documents',
    `proxy http://a.test/v1 ${DOCUMENTS}`,
    "target: 'http://a.test/v1' has a path, and each of several documents has its own; name http://a.test and",
  ],
  [
    'a document twice',
    'proxy http://a.test --interface one.json --interface one.json',
    "documents are called 'one'",
  ],
  ['no origin for several documents', `judge empty ${DOCUMENTS}`, 'name it with --base-url'],
  ['options that contradict each other', 'run --quiet --verbose', 'cannot combine --quiet and --verbose'],
  ['a file for a folder', 'run --out list.json/x', "--out: cannot write to 'list.json/x'"],
  [
    'a configuration in UTF-16',
    'run x --config utf-16.yaml',
    'utf-16.yaml: the file is UTF-16; save it as UTF-8',
  ],
  [
    'an interface in UTF-16',
    'requirements --interface utf-16.yaml',
    'utf-16.yaml: the file is UTF-16; save it as UTF-8',
  ],
  ['a baseline in UTF-16', 'run --baseline utf-16.yaml', 'utf-16.yaml: the file is UTF-16; save it as UTF-8'],
  ['no folder', 'run --out=', '--out: no folder named'],
  ['a folder that does not exist', 'report nowhere', 'nowhere: no such folder'],
  ['a folder without a ledger', 'report empty', 'empty: no ledger.jsonl in this folder'],
  ['an invalid ledger', 'report garbage', 'garbage/ledger.jsonl: line 1 '],
  ['a name that no folder can have', `report ${'x'.repeat(5_000)}`, 'ENAMETOOLONG'],
  ['a name that no file can have', `compare ${'x'.repeat(5_000)} x`, 'ENAMETOOLONG'],
  ['a name that no folder of reports can have', `run --out ${'x'.repeat(5_000)}`, 'ENAMETOOLONG'],
  ['one report', 'compare empty', 'compare: only one report'],
  ['a report that does not exist', 'compare a.json b.json', 'a.json: no such report'],
  ['a folder without a report', 'compare empty empty', 'empty: no such report'],
  ['a report that is not JSON', 'compare garbage/report.json x', 'garbage/report.json: not valid JSON'],
  ['a report of another version', 'compare later.json x', 'later.json: unsupported schemaVersion 99'],
  ['JSON that is not a report', 'compare list.json x', 'list.json: not a petspec report'],
  ['a report with a hole', 'compare hole.json x', 'hole.json: not a petspec report: '],
  ['a report nested without end', 'compare deep.json x', 'deep.json: not a petspec report: nested'],
  ['a device for a report', 'compare /dev/zero x', '/dev/zero: not a file'],
  ['a comparison format', 'compare --format pdf a b', "--format: unknown format 'pdf'; expected one of text"],
  [
    'a CA file that is not PEM',
    'run http://a.test --ca list.json',
    "--ca: no certificate (PEM) in 'list.json'",
  ],
  [
    'a key file of two lines',
    'run http://a.test --api-key-file two-lines',
    "--api-key-file: 'two-lines' has more",
  ],
  [
    'a length as a header',
    'run http://a.test --header Content-Length:5',
    '--header: Content-Length is written by petspec itself',
  ],
  [
    'the key as a header',
    'run http://a.test --header authorization:a-secret',
    '--header: Authorization carries',
  ],
  ['a key in the query', 'run http://a.test/?key=a-secret', "target: 'http://a.test/' has a query"],
  ['an empty query', 'run http://a.test/v1?', "target: 'http://a.test/v1' has a query"],
  [
    'an empty fragment',
    'run http://a.test/v1 --api-url http://b.test/#',
    "--api-url: 'http://b.test/' has a query",
  ],
];

test.concurrent.each(BAD)(
  '2 and one line: %s',
  async (_, options, words) => {
    const { status, out, err } = await petspec(...options.split(' '));
    expect(err).toMatch(/^petspec: [^\n]*\n$/);
    expect(err.slice('petspec: '.length)).toContain(words);
    expect(err).not.toContain('secret');
    expect({ status, out }).toEqual({ status: 2, out: '' });
  },
  60_000,
);

test.concurrent.each([
  ['run --timeout soon', "--timeout: 'soon' is not valid; expected a positive integer"],
  ['proxy http://a.test --port 99999', "--port: '99999' is not valid; expected a port from 1 to 65535, or 0"],
  ['serve --window 0', "--window: '0' is not valid; expected a number of seconds from 1 to 86400"],
  ['run --seed -1', "--seed: '-1' is not valid; expected random, or an integer from 0 to 4294967295"],
])(
  '2, and the option with what it expects: %s',
  async (options, words) => {
    const { status, out, err } = await petspec(...options.split(' '));
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err.split('\n')[0]).toMatch(/[^.]$/);
    expect(err).toMatch(/^petspec: --/);
    expect(err).toContain(words);
  },
  60_000,
);

test.concurrent('an option that is mistyped does not show its value', async () => {
  const { status, out, err } = await petspec('run', '--apikey=a-secret');
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toContain("unknown option '--apikey'");
  expect(err).not.toContain('secret');
}, 60_000);

test.concurrent('a report from somewhere cannot write to the terminal', async () => {
  const name = 'hole\u001b[31m.json';
  writeFileSync(inFolder(name), '{"schemaVersion":1}');
  const { err } = await petspec('compare', name, 'x');
  expect(err).toContain('hole\\u001b[31m.json: not a petspec report');
}, 60_000);
