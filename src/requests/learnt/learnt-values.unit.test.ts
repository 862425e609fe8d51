import { describe, expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import type { Exchange, Received } from '../../model/exchange.ts';
import { stringifyJson } from '../../model/json.ts';
import type { Late } from '../../model/probe.ts';
import { fill, LearntValues } from './learnt-values.ts';

const RANDOM = 4_611_686_018_427_387_905n;

function seen(change: Partial<Exchange> & { status?: number; body?: string }): Exchange {
  const { status = 200, body = '', ...rest } = change;
  return exchange({
    response: { status, headers: [], body },
    ...rest,
  });
}

const category = (as: 'value' | 'string' | 'fraction'): Late => ({
  late: 'reference',
  name: 'categoryId',
  as,
});
const created = (probe: string): Late => ({ late: 'response', sources: [{ probe, pointer: '/id' }] });

describe('a category', () => {
  test.each<
    [from: string, listing: string | undefined, given: bigint | undefined, value: unknown, isKnown: boolean]
  >([
    ['the listing', '[{"id":1,"categoryId":7},{"categoryId":8}]', undefined, 7, true],
    ['the listing, beyond 2^53', '[{"categoryId":9007199254740993}]', undefined, 9007199254740993n, true],
    ['the user, whatever is listed', '[{"categoryId":7}]', 12n, 12n, true],
    ['a guess where nothing is listed', '[]', undefined, 1n, false],
    ['a guess where no list came', undefined, undefined, 1n, false],
    ['a guess where the body is not a list', '{"categoryId":7}', undefined, 1n, false],
    ['a guess where the listed one is not an integer', '[{"categoryId":"7"}]', undefined, 1n, false],
    ['a guess where it is lacking', '[{"id":1}]', undefined, 1n, false],
  ])('from %s', (_from, listing, given, value, isKnown) => {
    const values = new LearntValues(given, () => RANDOM);
    if (listing !== undefined) values.learn(seen({ body: listing }));
    expect(values.resolve(category('value'))).toBe(value);
    expect(values.areReferencesKnown()).toBe(isKnown);
  });

  test('as a string, and with a fraction', () => {
    const values = new LearntValues(9007199254740993n, () => RANDOM);
    expect(values.resolve(category('string'))).toBe('9007199254740993');
    expect(stringifyJson({ id: values.resolve(category('fraction')) })).toBe('{"id":9007199254740993.5}');
  });

  test('only the first list is used', () => {
    const values = new LearntValues(undefined, () => RANDOM);
    values.learn(seen({ stage: 'list', probe: 'listPets:limit', body: '[{"categoryId":5}]' }));
    expect(values.resolve(category('value'))).toBe(1n);
  });
});

describe('what was created', () => {
  const creation = (probe: string, body: string, change: Partial<Parameters<typeof seen>[0]> = {}) =>
    seen({ probe, operation: 'createPet', stage: 'create', status: 201, body, ...change });

  test('its id, without loss', () => {
    const values = new LearntValues(undefined, () => RANDOM);
    values.learn(creation('a', '{"id":9223372036854775807}'));
    values.learn(creation('b', '{"id":"x-1"}'));
    expect(values.resolve(created('a'))).toBe('9223372036854775807');
    expect(values.resolve(created('b'))).toBe('x-1');
  });

  test.each<[why: string, exchange: Exchange]>([
    ['it was refused', creation('a', '{"id":1}', { status: 400 })],
    ['the key was wrong', creation('a', '{"id":1}', { key: 'unknown' })],
    ['the body is not JSON', creation('a', '{"id":1')],
    ['the field is lacking', creation('a', '{"pet":{"id":1}}')],
    ['the field is null', creation('a', '{"id":null}')],
    ['no address can hold it', creation('a', '{"id":"\\ud800"}')],
    ['it belongs to the exhaustion', creation('a', '{"id":1}', { stage: 'exhaust' })],
  ])('no value if %s', (_why, exchange) => {
    const values = new LearntValues(undefined, () => RANDOM);
    values.learn(exchange);
    expect(values.resolve(created('a'))).toBeUndefined();
  });

  test('the first source that has it, else the fallback', () => {
    const values = new LearntValues(undefined, () => RANDOM);
    const sources = ['a', 'b', 'c'].map((probe) => ({ probe, pointer: '/id' }));
    const late: Late = { late: 'response', sources, otherwise: '1' };
    expect(values.resolve(late)).toBe('1');
    values.learn(creation('c', '{"id":3}'));
    values.learn(creation('b', '{"id":2}'));
    expect(values.resolve(late)).toBe('2');
  });
});

test('of lists, the first 20 entries of the first one are kept, and a hundred of the longest one', () => {
  const values = new LearntValues(undefined, () => RANDOM);
  const list = (probe: string, count: number, stage: Exchange['stage']) =>
    exchange({
      probe,
      stage,
      response: {
        status: 200,
        headers: [],
        body: JSON.stringify(Array.from({ length: count }, (_, index) => ({ id: `${probe}-${index}` }))),
      },
    });
  const entry = (probe: string, place: number) =>
    values.resolve({ late: 'response', sources: [{ probe, pointer: `/${place}/id` }] });
  values.learn(list('first', 50, 'first'));
  expect(entry('first', 49)).toBe('first-49');
  values.learn(list('long', 120, 'list'));
  values.learn(list('short', 60, 'read'));
  expect([entry('first', 19), entry('first', 20)]).toEqual(['first-19', undefined]);
  expect([entry('long', 99), entry('long', 100)]).toEqual(['long-99', undefined]);
  expect([entry('short', 0), entry('short', 1)]).toEqual(['short-0', undefined]);
});

describe('an id that nobody has', () => {
  const drawn = (values: LearntValues, format: 'int32' | 'int64' = 'int64') =>
    BigInt(String(values.resolve({ late: 'random', format, like: [{ probe: 'p', pointer: '/id' }] })));
  const knowing = (id: string, random = 0n) => {
    const values = new LearntValues(undefined, () => random);
    values.learn(exchange({ probe: 'p', response: { status: 200, headers: [], body: `{"id":${id}}` } }));
    return values;
  };

  test.each([0n, 7n, 2n ** 62n - 1n, 2n ** 63n - 1n])('is large, whatever is drawn: %s', (random) => {
    const values = new LearntValues(undefined, () => random);
    expect(drawn(values) >= 2n ** 62n && drawn(values) < 2n ** 63n).toBe(true);
    expect(drawn(values, 'int32') >= 2n ** 30n && drawn(values, 'int32') < 2n ** 31n).toBe(true);
  });

  test('ends like a known id, for whoever reads 32 bits of it', () => {
    expect(drawn(knowing('42'))).toBe(2n ** 62n + 42n);
    expect(drawn(knowing(String(2n ** 40n + 43n)))).toBe(2n ** 62n + 43n);
    expect(drawn(knowing('42', 2n ** 33n + 5n))).toBe(2n ** 62n + 2n ** 33n + 42n);
  });

  test.each(['"a7"', '-42', '4.5', 'null'])('ends like none where that is %s', (id) => {
    expect(drawn(knowing(id, 5n))).toBe(2n ** 62n + 5n);
  });
});

test('late values are filled in anywhere in a body; the rest stays', () => {
  const values = new LearntValues(3n, () => RANDOM);
  const body = { name: 'x', categoryId: category('value'), deep: [{ as: category('string') }, null, 1n] };
  expect(fill(body, values)).toEqual({ name: 'x', categoryId: 3n, deep: [{ as: '3' }, null, 1n] });
});

test('a number that a response had stays a number in a body, and what none had is left out', () => {
  const values = new LearntValues(undefined, () => RANDOM);
  values.learn(
    exchange({ probe: 'p', response: { status: 200, headers: [], body: '{"id":9007199254740993}' } }),
  );
  const id = (probe: string): Late => ({
    late: 'response',
    as: 'value',
    sources: [{ probe, pointer: '/id' }],
  });
  expect(fill({ id: id('p'), other: id('q') }, values)).toEqual({ id: 9007199254740993n });
});

describe('a text of its own', () => {
  const text = (like: string, of = 'createPet:minimal'): Late => ({ late: 'own', as: 'text', like, of });
  const number = (of: string): Late => ({ late: 'own', as: 'number', of });
  const valuesOf = (run: bigint) => new LearntValues(undefined, () => run);
  const PROBES = Array.from({ length: 500 }, (_, index) => `createPet:${index}`);

  test.each(['Rex-xxxxxxxx', 'Ab'.repeat(500), 'Zoë 🐈-xxxxxxxx', '🦊🦊🦊🦊🦊🦊🦊🦊🦊'])(
    'as long as what it is like, and like it but for its end: %s',
    (like) => {
      const characters = [...(valuesOf(RANDOM).resolve(text(like)) as string)];
      expect(characters.length).toBe([...like].length);
      expect(characters.slice(0, -8)).toEqual([...like].slice(0, -8));
      expect(characters.slice(-8).join('')).toMatch(/^[a-z]{8}$/);
    },
  );

  test('a text of digits stays one, and keeps its beginning', () => {
    expect(valuesOf(RANDOM).resolve(text('0000000000'))).toMatch(/^00\d{8}$/);
    expect(valuesOf(1n).resolve(text('0000000000'))).not.toBe(valuesOf(2n).resolve(text('0000000000')));
  });

  test.each(['x', 'xxxxxxxx', ''])('a short text has fewer letters of its own: %j', (like) => {
    expect(valuesOf(RANDOM).resolve(text(like))).toMatch(new RegExp(`^[a-z]{${like.length}}$`));
  });

  test('the same each time, but different for each probe and run', () => {
    for (const late of [(of: string) => text('Rex-xxxxxxxx', of), number]) {
      const first = valuesOf(1n);
      const values = PROBES.map((of) => first.resolve(late(of)));
      expect(PROBES.map((of) => first.resolve(late(of)))).toEqual(values);
      expect(PROBES.map((of) => valuesOf(1n).resolve(late(of)))).toEqual(values);
      const next = PROBES.map((of) => valuesOf(2n).resolve(late(of)));
      expect(new Set([...values, ...next]).size).toBe(2 * PROBES.length);
    }
  });

  test('is the same however many random numbers the run draws', () => {
    let drawn = 0n;
    const values = new LearntValues(undefined, () => ++drawn);
    const before = values.resolve(text('Rex-xxxxxxxx'));
    expect(values.resolve({ late: 'random', format: 'int64', like: [] })).toBe(String(2n ** 62n + 2n));
    expect(values.resolve(text('Rex-xxxxxxxx'))).toBe(before);
  });

  test('a number is an integer that a double can hold', () => {
    for (const of of PROBES) {
      const value = valuesOf(RANDOM).resolve(number(of));
      expect(Number.isSafeInteger(value) && (value as number) >= 0).toBe(true);
    }
  });
});

test('the first id of a list that a double cannot hold, if there is one', () => {
  const exact = (...ids: string[]) => {
    const values = new LearntValues(undefined, () => RANDOM);
    const sources = ids.map((_, place) => ({ probe: 'list', pointer: `/${place}/id` }));
    values.learn(seen({ probe: 'list', body: `[${ids.map((id) => `{"id":${id}}`).join()}]` }));
    return values.resolve({ late: 'response', sources, isBeyondDouble: true });
  };
  expect(exact('7', '"9007199254740993"', '9007199254740994', '9007199254740995')).toBe('9007199254740995');
  expect(exact('7', '9007199254740994')).toBeUndefined();
});

test.each<[id: string, next: string | undefined]>([
  ['7', '8'],
  ['-1', '0'],
  ['9007199254740993', '9007199254740994'],
  ['9223372036854775806', '9223372036854775807'],
  ['9223372036854775807', undefined],
  ['"7"', undefined],
  ['7.5', undefined],
])('the id after %s is %s', (id, next) => {
  const values = new LearntValues(undefined, () => RANDOM);
  values.learn(seen({ probe: 'made', method: 'POST', stage: 'surplus', status: 201, body: `{"id":${id}}` }));
  const sources = [{ probe: 'made', pointer: '/id' }];
  expect(values.resolve({ late: 'response', sources, isNext: true })).toBe(next);
});

test('a read that uses up the limit tells nothing that is sent later', () => {
  const values = new LearntValues(undefined, () => RANDOM);
  values.learn(seen({ probe: 'read', method: 'GET', stage: 'surplus', body: '{"id":7}' }));
  expect(values.resolve(created('read'))).toBeUndefined();
});

test('a response that is not JSON leaves what an earlier one told', () => {
  const values = new LearntValues(undefined, () => RANDOM);
  for (const body of ['[{"id":7,"categoryId":5}]', '[{"id":8'])
    values.learn(seen({ probe: 'list', stage: 'first', body }));
  expect(values.resolve({ late: 'response', sources: [{ probe: 'list', pointer: '/0/id' }] })).toBe('7');
  expect(values.resolve(category('value'))).toBe(5);
});

describe('a validator', () => {
  const PET = 'http://127.0.0.1/v1/pets/7';
  const told = (headers: Received['headers'], url = PET) =>
    exchange({ url, response: { status: 200, headers, body: '' } });
  const sent = (header: 'ETag' | 'Last-Modified', exchanges: Exchange[], otherwise?: string) => {
    const values = new LearntValues(undefined, () => RANDOM);
    for (const each of exchanges) values.learn(each);
    const late: Late = { late: 'validator', header, ...(otherwise === undefined ? {} : { otherwise }) };
    return values.resolve(late, new URL(PET));
  };
  const FIRST = told([['ETag', 'W/"1"']]);
  const DATE = 'Wed, 21 Oct 2015 07:28:00 GMT';

  test.each<[title: string, exchanges: Exchange[], value: string | undefined]>([
    ['as it came', [FIRST], 'W/"1"'],
    ['whatever the case of its name', [told([['etag', '"1"']])], '"1"'],
    ['of the latest response', [FIRST, told([['ETag', '"2"']])], '"2"'],
    ['of the same address with another query', [told([['ETag', '"3"']], `${PET}?full=1`)], '"3"'],
    ['not of another address', [told([['ETag', '"4"']], `${PET}0`)], undefined],
    ['of the one before, if the latest has none', [FIRST, told([['Content-Type', 'a/b']])], 'W/"1"'],
    [
      'not of a header with a similar name',
      [
        FIRST,
        told([
          ['X-ETag', '2'],
          ['ETag-Kind', 'weak'],
        ]),
      ],
      'W/"1"',
    ],
  ])('is sent back %s', (_title, exchanges, value) => {
    expect(sent('ETag', exchanges)).toBe(value);
  });

  test('may be a date, or what the user stated', () => {
    expect(sent('Last-Modified', [told([['last-modified', DATE]])])).toBe(DATE);
    expect(sent('Last-Modified', [FIRST], DATE)).toBe(DATE);
  });
});

test('the next page is that of the latest response', () => {
  const values = new LearntValues(undefined, () => RANDOM);
  const query = [['size', '2']] as const;
  const next = (body: string) => {
    values.learn(seen({ probe: 'page', stage: 'list', body }));
    return values.queryFor({ query, nextOf: { probe: 'page', by: { place: 'body', parameter: 'cursor' } } });
  };
  expect(next('{"next":"c2"}')).toEqual([...query, ['cursor', 'c2']]);
  expect(next('{"next":"http://127.0.0.1/v1/pets?page=3"}')).toEqual([['page', '3']]);
  expect(next('{"next":"http://127.0.0.1/v2/pets?page=3"}')).toBeUndefined();
  expect(next('{"next":"c2"}')).toBeDefined();
  expect(next('{"next":null}')).toBeUndefined();
});
