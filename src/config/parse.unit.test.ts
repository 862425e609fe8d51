import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGE, renderSchema, SCHEMA, withSettings } from '../../scripts/config-schema.ts';
import { loadContract } from '../contract/load.ts';
import { ConfigError } from './config.ts';
import { parseConfig } from './parse.ts';

const parse = (text: string) => parseConfig(text, 'petspec.config.yaml');

/** The one line about a configuration that is wrong. */
function problem(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

test('targets with all their settings, in the order of the file', () => {
  const { targets } = parse(`
targets:
  staging:
    baseUrl: https://staging.example.com/v1
    apiUrl: https://messages.example.com
    apiKeyVariable: STAGING_API_KEY
    apiKeyFile: staging.key
    plan: free
    limit: 70
    dayLimit: 2000
    categoryId: 3
    sharedKey: true
    readOnly: false
    exhaust: none
    frugal: true
    headers: { X-Gateway: open }
    ca: roots.pem
    clientCert: me.pem
    clientKey: me.key
    insecure: false
    timeout: 2000
    maxWait: 10
    concurrency: 2
    baseline: known.yaml
  local: { baseUrl: 'http://[::1]:8080/v1' }
`);
  expect(targets).toEqual([
    {
      name: 'staging',
      place: 'petspec.config.yaml:3:3',
      baseUrl: 'https://staging.example.com/v1',
      apiUrl: 'https://messages.example.com',
      apiKeyVariable: 'STAGING_API_KEY',
      apiKeyFile: 'staging.key',
      plan: 'free',
      limit: 70,
      dayLimit: 2000,
      categoryId: '3',
      sharedKey: true,
      readOnly: false,
      exhaust: 'none',
      frugal: true,
      headers: { 'X-Gateway': 'open' },
      ca: 'roots.pem',
      clientCert: 'me.pem',
      clientKey: 'me.key',
      insecure: false,
      timeout: 2000,
      maxWait: 10,
      concurrency: 2,
      baseline: 'known.yaml',
    },
    { name: 'local', place: 'petspec.config.yaml:25:3', baseUrl: 'http://[::1]:8080/v1' },
  ]);
});

test('defaults hold where a target says nothing else; headers of both are sent', () => {
  const { targets } = parse(`
defaults: { baseUrl: 'https://a.example/v1', plan: pro, headers: { X-One: d, x-two: d } }
targets:
  one: {}
  two: { plan: free, headers: { X-Two: own } }
`);
  expect(targets).toMatchObject([
    { baseUrl: 'https://a.example/v1', plan: 'pro', headers: { 'X-One': 'd', 'x-two': 'd' } },
    { baseUrl: 'https://a.example/v1', plan: 'free', headers: { 'X-One': 'd', 'X-Two': 'own' } },
  ]);
  expect(Object.keys(targets[1]?.headers ?? {})).toHaveLength(2);
});

test('a plan of the interface that is named has any name', () => {
  const named = parse('targets: { one: { baseUrl: "https://a.example", interface: a.yaml, plan: gold } }');
  expect(named.targets[0]?.plan).toBe('gold');
  const shared = `
defaults: { baseUrl: 'https://a.example', interface: a.yaml, plan: gold }
targets: { one: {}, two: { plan: silver } }
`;
  expect(parse(shared).targets.map(({ plan }) => plan)).toEqual(['gold', 'silver']);
});

test('another plan has figures of its own', () => {
  const { targets } = parse(`
defaults: { baseUrl: 'https://a.example/v1', plan: enterprise, limit: 5 }
targets: { one: {}, two: { plan: free }, three: { limit: 7 } }
`);
  expect(targets.map(({ plan, limit }) => [plan, limit])).toEqual([
    ['enterprise', 5],
    ['free', undefined],
    ['enterprise', 7],
  ]);
});

test.each(['9223372036854775807', '-9007199254740993', '"9007199254740993"'])(
  'a category id keeps every digit: %s',
  (id) => {
    const { targets } = parse(`targets: { a: { baseUrl: https://a.example/v1, categoryId: ${id} } }`);
    expect(targets[0]?.categoryId).toBe(id.replaceAll('"', ''));
  },
);

const TARGET = 'targets:\n  staging:\n    baseUrl: https://staging.example.com/v1\n';
const MISTAKES: [what: string, text: string, line: string][] = [
  [
    'a setting that does not exist',
    `${TARGET}    bassUrl: x\n`,
    ":4:5: unknown setting 'bassUrl'; did you mean 'baseUrl'?",
  ],
  [
    'one of another case',
    `${TARGET}    readonly: true\n`,
    ":4:5: unknown setting 'readonly'; did you mean 'readOnly'?",
  ],
  [
    'one that is near nothing',
    `${TARGET}    colour: red\n`,
    ":4:5: unknown setting 'colour'; expected one of baseUrl, interface, example,",
  ],
  [
    'a top-level name',
    `target:\n  a: 1\n${TARGET}`,
    ":1:1: unknown setting 'target'; did you mean 'targets'?",
  ],
  [
    'a plan',
    `${TARGET}    plan: bussiness\n`,
    `:4:11: 'plan' cannot be "bussiness"; expected one of free, pro, business, enterprise; did you mean 'business'?`,
  ],
  ['a type', `${TARGET}    timeout: soon\n`, ":4:14: 'timeout' must be an integer"],
  ['a fraction', `${TARGET}    maxWait: 1.5\n`, ":4:14: 'maxWait' must be an integer"],
  ['nothing', `${TARGET}    concurrency: 0\n`, ":4:18: 'concurrency' must be a positive integer"],
  [
    'a number beyond all bounds',
    `${TARGET}    limit: 99999999999999999999\n`,
    ":4:12: 'limit' must be an integer",
  ],
  ['a word for true', `${TARGET}    readOnly: yes\n`, ":4:15: 'readOnly' must be true or false"],
  [
    'an address of another scheme',
    'targets:\n  a:\n    baseUrl: ftp://a.example/v1\n',
    ":3:14: 'baseUrl' must be an http or https URL",
  ],
  [
    'a password in an address',
    'targets:\n  a:\n    baseUrl: https://u:p@a.example/v1\n',
    ":3:14: 'baseUrl' must be an http or https URL",
  ],
  ['a target without an address', 'targets:\n  a:\n    plan: free\n', ":2:3: target 'a' needs a 'baseUrl'"],
  ['a target without anything', 'targets:\n  a:\n', "'a' must be a mapping"],
  ['no targets', 'defaults: {}\n', ":1:1: the configuration needs 'targets'"],
  ['empty targets', 'targets: {}\n', ":1:10: 'targets' must not be empty"],
  ['an empty file', '', 'the configuration must be a mapping'],
  ['a list', '- a\n', ':1:1: the configuration must be a mapping'],
  [
    'a name that is not a folder',
    'targets:\n  ../up: { baseUrl: https://a.example/v1 }\n',
    ":2:3: '../up' is not a valid name",
  ],
  [
    'a name with capitals',
    'targets:\n  Staging: { baseUrl: https://a.example/v1 }\n',
    ":2:3: 'Staging' is not a valid name",
  ],
  [
    'a name of the language',
    'targets:\n  __proto__: { baseUrl: https://a.example/v1 }\n',
    ":2:3: '__proto__' is not a valid name",
  ],
  [
    'a setting of the language',
    `${TARGET}    __proto__: { readOnly: true }\n`,
    ":4:5: unknown setting '__proto__'",
  ],
  [
    'the same name twice',
    `${TARGET}  staging:\n    baseUrl: https://b.example/v1\n`,
    ':4:3: Map keys must be unique',
  ],
  ['no YAML', 'targets: {\n', ':2:1: '],
  ['two documents', `${TARGET}---\n${TARGET}`, ':4:1: '],
  ['a tag', `${TARGET}    plan: !!js/function "free"\n`, ':4:11: Unresolved tag'],
  [
    'the header of the key',
    `${TARGET}    headers:\n      AUTHORIZATION: Bearer x\n`,
    ":5:7: 'AUTHORIZATION' is not a header name that can be set (Authorization carries the API key",
  ],
  [
    'a header of the connection',
    `${TARGET}    headers: { Content-length: "5" }\n`,
    ":4:16: 'Content-length' is written by petspec itself; leave it out",
  ],
  [
    'one among the defaults',
    `defaults: { headers: { Upgrade: h2c } }\n${TARGET}`,
    ":1:24: 'Upgrade' is written by petspec itself; leave it out",
  ],
  [
    'a header with a line break',
    `${TARGET}    headers: { X-A: "a\\nb" }\n`,
    ":4:21: 'X-A' has characters that a header cannot contain",
  ],
];

test('several mistakes: all of them in order, up to twenty more than the first', () => {
  const several = (text: string) => {
    try {
      parse(text);
    } catch (error) {
      if (error instanceof ConfigError) return [error.message, ...error.more];
    }
    return [];
  };
  const places = several(`${TARGET}    plan: gold\n    timeout: soon\n    maxWait: 0\n`);
  expect(places).toEqual([
    expect.stringMatching(/^petspec\.config\.yaml:4:11: 'plan' cannot be "gold"/),
    expect.stringMatching(/^petspec\.config\.yaml:5:\d+: 'timeout'/),
    expect.stringMatching(/^petspec\.config\.yaml:6:\d+: 'maxWait'/),
  ]);
  const many = (length: number) =>
    several(`${TARGET}${Array.from({ length }, (_, index) => `    no${index}: 1\n`).join('')}`);
  expect(many(40)).toHaveLength(22);
  expect(many(40).at(-1)).toBe('petspec.config.yaml: and 19 more mistakes');
  expect(many(22).at(-1)).toBe('petspec.config.yaml: and 1 more mistake');
});

test.each(MISTAKES)('one line with its place: %s', (_, text, line) => {
  expect(problem(text)).toMatch(/^petspec\.config\.yaml:(?:\d+:\d+:)? [^\n]+$/);
  expect(problem(text)).toContain(line);
});

test.each(['apiKey', 'api_key', 'key', 'token', 'Authorization'])(
  'a key in the file is refused, and not repeated: %s',
  (name) => {
    const line = problem(`${TARGET}    ${name}: a-secret-of-mine\n`);
    expect(line).toContain(`:4:5: '${name}' is not allowed; put the key into an environment variable`);
    expect(line).toContain('apiKeyVariable: STAGING_API_KEY');
    expect(line).not.toContain('a-secret-of-mine');
  },
);

test('a key in place of the name of its variable is not repeated either', () => {
  const line = problem(`${TARGET}    apiKeyVariable: sk-a-secret-of-mine\n`);
  expect(line).toContain(":4:21: 'apiKeyVariable' must be the name of an environment variable");
  expect(line).not.toContain('secret-of-mine');
});

test('aliases may be used, but not to make much of little', () => {
  const shared =
    'defaults: { headers: &h { X-A: a } }\ntargets: { a: { baseUrl: https://a.example/v1, headers: *h } }';
  expect(parse(shared).targets[0]?.headers).toEqual({ 'X-A': 'a' });
  const levels = Array.from({ length: 12 }, (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n}, `.repeat(9)}]`);
  expect(problem(`l0: &l0 [x]\n${levels.join('\n')}\n`)).toContain('too many aliases');
  expect(problem('targets: &t { a: *t }')).toContain('unknown setting');
  expect(problem('targets: *t')).toContain(":1:10: unknown alias '*t'");
});

test('what is nested too deep, or too long, is refused in a line', () => {
  expect(problem(`targets: ${'['.repeat(20_000)}`)).toMatch(/^petspec\.config\.yaml[^\n]+$/);
  expect(problem(`# ${'x'.repeat(1_100_000)}\n${TARGET}`)).toContain('too long');
});

test('the schema for editors and the table of the documentation are current: npm run build && node dist/scripts/config-schema.js', () => {
  expect(readFileSync(SCHEMA, 'utf8')).toBe(renderSchema());
  const page = readFileSync(PAGE, 'utf8');
  expect(withSettings(page)).toBe(page);
  expect(page).toContain(
    '| `concurrency` | How many requests a burst has at most; 1: one at a time. Default: `64`. |',
  );
});

test('the schema for editors knows the plans of the interface', () => {
  const schema = JSON.parse(readFileSync(SCHEMA, 'utf8'));
  expect(schema.definitions.bundledPlan.then.properties.plan.enum).toEqual(
    Object.keys(loadContract().ratePlans),
  );
  expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
});

test('the example in the documentation is one', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const [, block = ''] = /```yaml\n(# yaml-language-server:[\s\S]*?)```/.exec(page) ?? [];
  const { targets } = parse(block);
  expect(targets.map(({ name, apiUrl }) => [name, apiUrl])).toEqual([
    ['staging', 'https://messages.example.com'],
    ['production', 'https://messages.example.com'],
  ]);
});
