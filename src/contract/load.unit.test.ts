import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { allChecks } from '../../suites/index.ts';
import { ContractError } from '../model/contract.ts';
import { statusesOf } from '../model/http/expectation.ts';
import { deriveProbes } from '../probes/derive.ts';
import { loadContract, readSources } from './load.ts';

const sources = readSources();

/** The contract with its OpenAPI text changed; the change must be one. */
function changed(from: string | RegExp, to: string) {
  const openapi = sources.openapi.replace(from, to);
  expect(openapi).not.toBe(sources.openapi);
  return loadContract({ ...sources, openapi });
}

test('the OpenAPI document is valid by the official schema of 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(parse(sources.openapi));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('the bundled interface has the form that loading relies on', () => {
  expect(loadContract(readSources())).toEqual(loadContract());
});

test('every requirement has exactly one check, and every check a requirement', () => {
  const contract = loadContract();
  const ids = contract.requirements.map(({ id }) => id).sort();
  expect(
    allChecks(contract)
      .map(({ requirement }) => requirement)
      .sort(),
  ).toEqual(ids);
});

test('a new field of a response gets a requirement and a check', () => {
  const contract = changed(
    '            id:\n              description: Unique',
    '            weight: { type: number }\n            id:\n              description: Unique',
  );
  expect(contract.requirements.find(({ id }) => id === 'Pet.weight')).toMatchObject({
    level: 'must',
    source: 'openapi',
  });
  expect(allChecks(contract).filter(({ requirement }) => requirement === 'Pet.weight')).toHaveLength(1);
});

test('a new required field of a request gets probes without it and with wrong values', () => {
  const contract = changed(
    'required: [name, categoryId]\n      properties:',
    'required: [name, categoryId, age]\n      properties:\n        age: { type: integer, minimum: 0, maximum: 40 }',
  );
  const probes = deriveProbes(contract).filter(({ rule }) => rule === 'NewPet.age');
  const ids = probes.map(({ id }) => id);
  for (const wrong of ['missing', 'null', 'fraction', 'below', 'above'])
    expect(ids).toContain(`createPet:age-${wrong}`);
  expect(probes.every(({ expectation }) => statusesOf(expectation).join() === '400')).toBe(true);
  expect(deriveProbes(contract).map(({ id }) => id)).toEqual(
    expect.arrayContaining(['createPet:bounds-least', 'createPet:bounds-greatest']),
  );
  expect(allChecks(contract).some(({ requirement }) => requirement === 'NewPet.age')).toBe(true);
});

test('another maximum of a parameter moves its probes', () => {
  const contract = changed('maximum: 100, default: 20', 'maximum: 50, default: 20');
  const limits = deriveProbes(contract).flatMap(({ query }) =>
    query.filter(([name]) => name === 'limit').map(([, value]) => value),
  );
  expect(limits).toContain('50');
  expect(limits).toContain('51');
  expect(limits).not.toContain('100');
});

test('a new operation gets probes, wrong keys and checks', () => {
  const contract = changed(
    '  /store/orders:\n',
    `  /owners:
    get:
      operationId: listOwners
      parameters:
        - { name: page, in: query, schema: { type: integer, minimum: 1 } }
      responses:
        '200':
          description: The owners.
          content: { application/json: { schema: { type: array, items: { type: string } } } }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '429': { $ref: '#/components/responses/TooManyRequests' }
  /store/orders:
`,
  );
  const probes = deriveProbes(contract).filter(({ operation }) => operation === 'listOwners');
  expect(probes.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'listOwners:plain',
      'listOwners:page=minimum',
      'listOwners:page=below',
      'listOwners:key-absent',
    ]),
  );
  const keys = probes.map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining(['absent', 'shorter']));
  const requirements = allChecks(contract).map(({ requirement }) => requirement);
  expect(requirements).toEqual(
    expect.arrayContaining([
      'listOwners.200',
      'listOwners.200.body',
      'listOwners.responses',
      'listOwners.page.minimum',
    ]),
  );
});

test.each([
  ['no YAML', { ...sources, openapi: 'a: [' }, /^openapi\.yaml/],
  [
    'a reference to nothing',
    { ...sources, openapi: sources.openapi.replace('schemas/Error', 'schemas/Nothing') },
    /#\/components\/schemas\/Nothing/,
  ],
  [
    'a requirement without a level',
    { ...sources, requirements: 'plans: {}\nrequirements: [{ id: a, section: b, statement: c }]' },
    /entry 1 \(a\)/,
  ],
  [
    'a requirement twice',
    {
      ...sources,
      requirements: `${sources.requirements}\n  - { id: service.http, level: must, section: a, statement: b }`,
    },
    /service\.http is listed twice/,
  ],
  ['aliases that multiply', { ...sources, openapi: multiplied() }, /alias/],
  [
    'references that multiply',
    { ...sources, openapi: multipliedReferences() },
    /S0: its references expand to more/,
  ],
  ['what contains itself', { ...sources, openapi: 'info: &a [*a]' }, /contains itself/],
  ['what is nested without end', { ...sources, openapi: '['.repeat(20_000) }, /^openapi\.yaml/],
  ['a tag of another language', { ...sources, openapi: 'info: !!js/function x' }, /tag/],
  [
    'an operation that nothing could test',
    {
      ...sources,
      openapi: sources.openapi.replace(
        '    post:\n      operationId: createPet',
        '    put:\n      operationId: createPet',
      ),
    },
    /^createPet: petspec sends no PUT \/pets/,
  ],
  [
    'a keyword that nothing is derived from',
    { ...sources, openapi: sources.openapi.replace('type: string\n      enum', 'not: {}\n      enum') },
    /\/components\/schemas\/PetStatus .*: not$/,
  ],
  [
    'a format that nothing judges',
    { ...sources, openapi: sources.openapi.replace('format: iso-8601-timestamp', 'format: moon') },
    /createdAt\/format must be equal to one of/,
  ],
  [
    'a bound that no request can have',
    { ...sources, openapi: sources.openapi.replace('maximum: 100,', 'maximum: many,') },
    /maximum must be number/,
  ],
  [
    'a reference to what every object has',
    { ...sources, openapi: sources.openapi.replaceAll('schemas/Error"', 'schemas/__proto__"') },
    /__proto__ leads to nothing/,
  ],
  [
    'an entry that cannot be written as a text',
    { ...sources, requirements: 'plans: {}\nrequirements: [{ id: { toString: null } }]' },
    /entry 1 \(no id\)/,
  ],
  [
    'line breaks in what an error quotes',
    {
      ...sources,
      requirements: 'plans: {}\nrequirements: [{ id: "a\\nb", section: c, statement: d, level: "e" }]',
    },
    /^[^\n]*entry 1 \(a b\)[^\n]*$/,
  ],
])('%s is one clear line', (_, broken, message) => {
  expect(() => loadContract(broken)).toThrow(ContractError);
  expect(() => loadContract(broken)).toThrow(message);
});

/** Each name stands for ten of the one before: a billion in all. */
function multiplied(): string {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const one = level === 0 ? 'x' : `*a${level - 1}`;
    return `l${level}: &a${level} [${Array(10).fill(one).join(', ')}]`;
  });
  return levels.join('\n');
}

/** Each schema consists of the next one twice: 2 to the power of 40 in all. */
function multipliedReferences(): string {
  const schemas = Array.from({ length: 40 }, (_, level) => {
    const next = `{ $ref: "#/components/schemas/S${level + 1}" }`;
    return `    S${level}: { type: object, properties: { a: ${next}, b: ${next} } }\n`;
  });
  return sources.openapi
    .replace('  schemas:\n', `  schemas:\n${schemas.join('')}    S40: { type: string }\n`)
    .replaceAll('schemas/Error"', 'schemas/S0"');
}

test('names that JavaScript gives a meaning are names like any other, and change nothing else', () => {
  const contract = changed(
    '        code:\n',
    '        __proto__: { type: string }\n        constructor: { type: integer }\n        code:\n',
  );
  const ids = contract.requirements.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['Error.__proto__', 'Error.constructor', 'Error.code']));
  expect(Object.keys(Object.prototype)).toEqual([]);
});
