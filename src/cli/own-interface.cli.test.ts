import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { inProcess } from '../../test/command-line/in-process.ts';
import { testedCommandLine } from '../../test/command-line/tested-command-line.ts';
import { DOCUMENT, KEY, startBookshop } from '../../test/own-interface/bookshop.ts';

const { line, inFolder } = testedCommandLine(KEY);

beforeAll(() => {
  copyFileSync(DOCUMENT, inFolder('openapi.yaml'));
  mkdirSync(inFolder('with-plan'));
  copyFileSync(DOCUMENT, inFolder('with-plan', 'openapi.yaml'));
  writeFileSync(inFolder('with-plan', 'requirements.yaml'), 'noun: book\nplans:\n  shop: { minute: 60 }\n');
  writeFileSync(inFolder('no.yaml'), 'openapi: 3.0.0\npaths:\n  books: {}\n');
  const keyless = readFileSync(DOCUMENT, 'utf8').replace('security: [{ reader: [] }]', 'security: []');
  writeFileSync(inFolder('keyless.yaml'), keyless);
});

const petspec = (options: string, variables = line.variables) =>
  inProcess({ folder: line.folder, variables }, options.split(' '));

test.each([
  ['no target', 'run --interface openapi.yaml', '--interface: no target named'],
  ['every target', 'run --all --interface openapi.yaml', 'cannot combine --interface with --all'],
  [
    'a server that is not a URL',
    'run http://a.test --interface openapi.yaml --server files',
    "--server: 'files' is not name=url",
  ],
  [
    'a server that the document lacks',
    'run http://a.test --interface openapi.yaml --server files=http://b.test',
    "unknown server 'files'; beside the target the interface has no other server",
  ],
  [
    'a certificate of a run that only reads',
    'certify http://127.0.0.1:1 --interface openapi.yaml',
    'no certificate: no --write leaves requirements untested; nothing was sent',
  ],
  ['a configuration for no target', 'init --interface openapi.yaml', '--interface needs --target'],
  [
    'a configuration with a rate plan that the interface lacks',
    'init --target a=http://a.test --interface openapi.yaml --plan free',
    '--plan: the interface has no rate plans',
  ],
  [
    'a configuration with another rate plan than those of the interface',
    'init --target a=http://a.test --interface with-plan --plan free',
    "--plan: unknown plan 'free'; expected one of shop",
  ],
  [
    'a configuration with a server that the interface lacks',
    'init --target a=http://a.test --interface openapi.yaml --api-url http://b.test',
    "unknown server 'apiUrl'; beside the target the interface has no other server",
  ],
  [
    'a configuration whose interface is not an OpenAPI document',
    'init --target a=http://a.test --interface no.yaml',
    "no.yaml:3:10: the path 'books'",
  ],
  [
    'a file that does not exist',
    'run --dry-run --interface missing.yaml',
    'missing.yaml: no such file or folder',
  ],
  [
    'a file that is not an OpenAPI document',
    'run --dry-run --interface no.yaml',
    "no.yaml:3:10: the path 'books' does not begin",
  ],
  ['a device', 'requirements --interface /dev/zero', '/dev/zero: not a file'],
  ['a name that no file can have', `requirements --interface ${'x'.repeat(5_000)}`, 'ENAMETOOLONG'],
  [
    'an older set',
    'run http://a.test --interface openapi.yaml --set 0.1.0',
    '--set names requirements of the bundled',
  ],
])('%s: one line, and exit status 2', async (_, options, words) => {
  const { status, out, err } = await petspec(options);
  expect([status, out]).toEqual([options.startsWith('certify') ? 3 : 2, '']);
  expect(err).toContain(words);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
});

test('a dry run needs no target and no key, and says what is not planned and why', async () => {
  const { status, out } = await petspec('run --interface . --dry-run', {});
  expect(status).toBe(0);
  expect(out).toContain('GET /books -> 200 or any other below 400');
  expect(out).toContain('not sent: petspec only reads (--write)');
  expect(out).toContain('GET /feed: it answers with a stream (text/event-stream); nothing of it is judged');
  expect(out).toContain('nothing added or changed');
  expect(out).not.toMatch(/Infinity|animal|NaN/);
});

test('a document that leaves nothing to send: one line, and a dry run says why', async () => {
  const path = '/sessions: { post: { responses: { 201: { description: created } } } }';
  writeFileSync(
    inFolder('nothing.yaml'),
    `openapi: 3.1.0\ninfo: { title: Nothing, version: '1' }\npaths:\n  ${path}\n`,
  );
  const ran = await petspec('run http://a.test --interface nothing.yaml');
  expect([ran.status, ran.out, ran.err]).toEqual([
    2,
    '',
    'petspec: no request can be planned, so nothing can be judged; --dry-run lists the operations that are left out, and why\n',
  ]);
  const dry = await petspec('run --interface nothing.yaml --dry-run', {});
  expect([dry.status, dry.err]).toEqual([
    2,
    'petspec: no request can be planned, so nothing can be judged\n',
  ]);
  expect(dry.out).toContain('POST /sessions: not sent: petspec only reads (--write)');
});

test('the requirements are those of the document', async () => {
  const { status, out } = await petspec('requirements --interface openapi.yaml');
  expect(status).toBe(0);
  expect(out).toContain('must   getBook.200: GET /books/{bookId} returns 200');
  expect(out).toContain('should Book.published.format: ');
  expect(out).not.toMatch(/animal/i);
});

test('a run needs no other option; its ledger is judged again by the same document', async () => {
  const { baseUrl, asked } = await startBookshop();
  const ran = await petspec(`run ${baseUrl} --interface openapi.yaml --out out`);
  expect([ran.status, ran.err]).toEqual([0, expect.stringContaining('Bookshop 1.0.0')]);
  expect(ran.out).toMatch(/conformant \(\d+ of \d+ requirements judged\).*left out: no --write/s);
  expect(ran.out + ran.err).not.toMatch(/animal|\/v1/i);
  const sent = asked.length;
  // Anybody may have written a ledger: what it names is not opened.
  const rendered = await petspec('report out --format ctrf');
  expect([rendered.status, rendered.err]).toEqual([0, expect.stringContaining('rendered from')]);
  expect(readFileSync(inFolder('out', 'ctrf.json'), 'utf8')).toContain('getBook.200');
  rmSync(inFolder('out', 'report.json'));
  const unnamed = await petspec('report out');
  expect([unnamed.status, unnamed.err]).toEqual([
    2,
    expect.stringMatching(/--interface '.*openapi.yaml'; petspec opens no file/),
  ]);
  const again = await petspec('report out --interface openapi.yaml');
  expect([again.status, asked.length]).toEqual([0, sent]);
  const page = readFileSync(inFolder('out', 'report.html'), 'utf8');
  expect(page).toContain('Bookshop');
  expect(page).not.toContain('animal store');
  writeFileSync(inFolder('openapi.yaml'), `${readFileSync(DOCUMENT, 'utf8')}\n# changed\n`);
  const changed = await petspec('report out --interface openapi.yaml');
  expect([changed.status, changed.err]).toEqual([2, expect.stringContaining('its digest is ')]);
  copyFileSync(DOCUMENT, inFolder('openapi.yaml'));
});

test('a key is needed only if the document asks for one', async () => {
  const { baseUrl } = await startBookshop();
  const missing = await petspec(`run ${baseUrl} --interface openapi.yaml`, {});
  expect([missing.status, missing.err]).toEqual([2, expect.stringContaining('missing API key')]);
  const basic = readFileSync(DOCUMENT, 'utf8').replace('scheme: bearer', 'scheme: basic');
  writeFileSync(inFolder('basic.yaml'), basic);
  expect((await petspec(`run ${baseUrl} --interface basic.yaml`, {})).err).toContain(
    'missing user and password; set the environment variable PETSPEC_API_KEY to user:password',
  );
  const { baseUrl: open } = await startBookshop({
    answer: ({ path, key }) =>
      key === undefined && path === '/health'
        ? undefined
        : { status: 404, value: { title: 'no' }, type: 'application/problem+json' },
  });
  const ran = await petspec(`run ${open} --interface keyless.yaml --out keyless`, {});
  expect(ran.status).toBe(3);
});

test('a configuration names the interface of each target, which petspec init writes', async () => {
  const { baseUrl } = await startBookshop();
  const wrote = await petspec(`init --target shop=${baseUrl} --interface openapi.yaml`);
  expect([wrote.status, wrote.err]).toEqual([0, '']);
  const file = inFolder('petspec.config.yaml');
  expect(readFileSync(file, 'utf8')).toContain('interface: openapi.yaml');
  const variables = { ...line.variables, PETSPEC_API_KEY_SHOP: KEY };
  const one = await petspec('run shop --out one', variables);
  expect([one.status, one.err]).toEqual([0, expect.stringContaining('Bookshop 1.0.0')]);
  const all = await petspec('run --all --out all', variables);
  expect([all.status, all.out + all.err]).toEqual([0, expect.stringContaining('shop: conformant')]);
  writeFileSync(file, readFileSync(file, 'utf8').replace('openapi.yaml', 'no.yaml'));
  const wrong = await petspec('run shop', variables);
  expect([wrong.status, wrong.err]).toEqual([
    2,
    expect.stringMatching(/^petspec: petspec.config.yaml:5:3: shop: --interface: .*no.yaml:3:10: [^\n]+\n$/),
  ]);
  rmSync(file);
});

test('a run that leaves nothing out is certified, and the certificate is verified by the same document', async () => {
  const reads = readFileSync(DOCUMENT, 'utf8')
    .replace(/^ {4}(?:post|put|patch):\n(?: {6}.*\n)+/gm, '')
    .replace(/^ {4}delete: .*\n/gm, '');
  writeFileSync(inFolder('reads.yaml'), reads);
  const { baseUrl } = await startBookshop();
  const certified = await petspec(`certify ${baseUrl} --interface reads.yaml --out certified`);
  expect([certified.status, certified.out]).toEqual([0, expect.stringContaining('certified: ')]);
  const own = await petspec('verify certified/certificate.json --interface reads.yaml');
  expect([own.status, own.out]).toEqual([0, expect.stringContaining('intact, not signed')]);
  const other = await petspec('verify certified/certificate.json --interface openapi.yaml');
  const refused = 'refused: certified/certificate.json: it is not for the';
  expect([other.status, other.out]).toEqual([
    1,
    `${refused} interface openapi.yaml, or for another version of it; name the one of its run with --interface\n`,
  ]);
  const bundled = await petspec('verify certified/certificate.json');
  expect([bundled.status, bundled.out]).toEqual([
    1,
    `${refused} bundled interface; if it is for an interface of your own, name that with --interface\n`,
  ]);
});

test('a certificate of an interface with a later version of its own is no certificate of a newer petspec', async () => {
  mkdirSync(inFolder('later'));
  copyFileSync(inFolder('reads.yaml'), inFolder('later', 'openapi.yaml'));
  const sentence =
    '{ id: listBooks.order, level: open, since: 7.0.0, section: Books, statement: Books come in any order. }';
  writeFileSync(inFolder('later', 'requirements.yaml'), `requirements:\n  - ${sentence}\n`);
  const { baseUrl } = await startBookshop();
  const certified = await petspec(`certify ${baseUrl} --interface later --out later-certified`);
  expect([certified.status, certified.err]).toEqual([0, expect.anything()]);
  const bundled = await petspec('verify later-certified/certificate.json');
  expect([bundled.status, bundled.out]).toEqual([1, expect.stringContaining('name that with --interface')]);
});
