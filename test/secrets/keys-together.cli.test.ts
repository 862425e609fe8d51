import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { inProcess } from '../command-line/in-process.ts';
import { testedCommandLine } from '../command-line/tested-command-line.ts';
import { revealedIn, spellingsOf } from './spellings.ts';

const { line, inFolder } = testedCommandLine('');

const KEYS = {
  PETSPEC_KEY_CLIENT: 'cl13nt/Xy+7=qz"1',
  PETSPEC_KEY_CODE: 's3cr3t&Code?77zz',
  PETSPEC_KEY_SID: 's1d.Cook~ie-99kk',
  PETSPEC_KEY_USER: 'anna:r0sebud-88/42+x',
};
const PASSWORD = 'r0sebud-88/42+x';
const SECRETS = [...Object.values(KEYS), PASSWORD];

const schemes = {
  client: { type: 'apiKey', in: 'header', name: 'X-Client' },
  code: { type: 'apiKey', in: 'query', name: 'appcode' },
  sid: { type: 'apiKey', in: 'cookie', name: 'sid' },
  user: { type: 'http', scheme: 'basic' },
};
const responses = {
  200: { description: 'x', content: { 'application/json': { schema: { type: 'array' } } } },
  401: { description: 'x' },
};

beforeAll(() => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    security: [{ client: [], code: [], sid: [], user: [] }],
    paths: { '/things': { get: { operationId: 'list', responses } } },
    components: { securitySchemes: schemes },
  };
  writeFileSync(inFolder('openapi.json'), JSON.stringify(document));
});

/** What a service answers: a status, headers and a body. */
type Answer = readonly [status: number, headers: Record<string, string>, body: string];

/** Everything that a run writes and prints of a service that answers so. */
async function writtenOf(answer: (asked: IncomingMessage) => Answer, out: string) {
  const server = createServer((asked, response) => {
    const [status, headers, body] = answer(asked);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const formats = 'html,junit,ctrf,har,markdown,sarif,csv,agent';
  const options = ['--interface', 'openapi.json', '--verbose', '--format', formats, '--out', out];
  const variables = { ...line.variables, ...KEYS };
  const ended = await inProcess({ ...line, variables }, ['run', target, ...options]);
  const files = readdirSync(inFolder(out)).map((each) => readFileSync(inFolder(out, each), 'latin1'));
  return { ...ended, text: [ended.out, ended.err, ...files].join('\n') };
}

const echoed = SECRETS.flatMap(spellingsOf);
const inHeaders = Object.fromEntries(
  echoed.filter((each) => !/[\r\n]/.test(each)).map((each, index) => [`x-echo-${index}`, each]),
);

test('a service that echoes four keys together: none of them, nor the password alone, is written anywhere', async () => {
  const json = { ...inHeaders, 'content-type': 'application/json' };
  const { status, text } = await writtenOf(
    ({ headers }) => [headers['x-client'] ? 200 : 401, json, JSON.stringify({ echoed })],
    'echoed',
  );
  expect(status).toBe(1);
  expect(text).toContain('[key]');
  expect(revealedIn(text, SECRETS)).toEqual([]);
});

const leading = SECRETS.map(encodeURIComponent).join('/');

test.each<[what: string, answer: Answer]>([
  ['redirects to an address', [302, { location: `/elsewhere/${leading}` }, '']],
  ['fails with a page', [500, { 'content-type': 'text/html' }, `<p>Error for ${SECRETS.join('<br>')}</p>`]],
])(
  'a service that %s with the keys in it ends the run: no file tells why with a key',
  async (what, answer) => {
    const { status, text } = await writtenOf(() => answer, what.replaceAll(' ', '-'));
    expect(status).toBe(3);
    expect(text).toContain('no sign of the service');
    expect(revealedIn(text, SECRETS)).toEqual([]);
  },
);
