import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inProcess } from '../../test/command-line/in-process.ts';
import { testedCommandLine } from '../../test/command-line/tested-command-line.ts';

const { line, inFolder } = testedCommandLine('');

const SECRET = 's3cr3t-of-ann-94ab';

/** What petspec says of a document whose operation needs these schemes together, with these variables. */
async function saidOf(schemes: readonly string[], variables: Record<string, string>, ...options: string[]) {
  const header = (name: string, index: number) => [
    name,
    { type: 'apiKey', in: 'header', name: `X-${index}` },
  ];
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    security: [Object.fromEntries(schemes.map((name) => [name, []]))],
    paths: { '/things': { get: { responses: { 200: { description: 'x' } } } } },
    components: { securitySchemes: Object.fromEntries(schemes.map(header)) },
  };
  writeFileSync(inFolder('openapi.json'), JSON.stringify(document));
  const words = ['run', 'http://127.0.0.1:1', '--interface', 'openapi.json', ...options];
  const stated = { folder: line.folder, variables: { ...line.variables, ...variables } };
  const { status, out, err } = await inProcess(stated, words);
  expect(out + err).not.toContain(SECRET);
  return [status, err];
}

const BOTH =
  'missing keys that operations need together; set PETSPEC_KEY_CLIENT_ID and PETSPEC_KEY_SECRET in';

test.each<[what: string, schemes: string[], variables: Record<string, string>, message: string]>([
  ['no key', ['clientId', 'secret'], {}, BOTH],
  ['blank keys', ['clientId', 'secret'], { PETSPEC_KEY_CLIENT_ID: '', PETSPEC_KEY_SECRET: ' ' }, BOTH],
  [
    'one of two keys',
    ['clientId', 'secret'],
    { PETSPEC_KEY_SECRET: SECRET },
    'missing a key that operations need together; set PETSPEC_KEY_CLIENT_ID in the environment',
  ],
  [
    'names of what every object has',
    ['constructor', 'toString'],
    { PETSPEC_KEY_TO_STRING: SECRET },
    'set PETSPEC_KEY_CONSTRUCTOR in the environment',
  ],
  [
    'a variable that is that of two schemes',
    ['clientId', 'client-id'],
    { PETSPEC_KEY_CLIENT_ID: SECRET },
    "PETSPEC_KEY_CLIENT_ID: the schemes 'clientId' and 'client-id' have the same variable; state their keys with --auth-file",
  ],
  [
    'a line break in a key',
    ['clientId', 'secret'],
    { PETSPEC_KEY_CLIENT_ID: `${SECRET}\nx`, PETSPEC_KEY_SECRET: SECRET },
    'PETSPEC_KEY_CLIENT_ID: the key has',
  ],
])('several keys together, wrong: %s', async (_, schemes, variables, message) => {
  const said = await saidOf(schemes, variables);
  expect(said).toEqual([2, expect.stringMatching(/^petspec: .+\n$/)]);
  expect(said[1]).toContain(message);
});

test('a second set of keys that is the first one is refused, and named', async () => {
  const keys = ['CLIENT_ID', 'SECRET'].flatMap((name) => [
    [`PETSPEC_KEY_${name}`, SECRET],
    [`PETSPEC_SECOND_KEY_${name}`, SECRET],
  ]);
  expect(await saidOf(['clientId', 'secret'], Object.fromEntries(keys), '--write')).toEqual([
    2,
    'petspec: PETSPEC_SECOND_KEY_CLIENT_ID and PETSPEC_SECOND_KEY_SECRET: the same as for the run; expected keys of another user\n',
  ]);
});

test('a dry run needs none of them', async () => {
  expect(await saidOf(['clientId', 'secret'], {}, '--dry-run')).toEqual([
    2,
    'petspec: no request can be planned, so nothing can be judged\n',
  ]);
});
