import { expect, test } from 'vitest';
import { isNightly } from '../../nightly/sampled.ts';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ERROR = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } };
const FIELDS = {
  name: { type: 'string', maxLength: 200 },
  seats: { type: 'integer', format: 'int32' },
  serial: { type: 'integer', format: 'int64' },
  kind: { type: 'string', enum: ['boat', 'ship'] },
  owner: { type: 'object', required: ['note'], properties: { note: { type: 'string' } } },
  tags: { type: 'array', items: { type: 'string' } },
};

type Name = keyof typeof FIELDS;
/** The fields of the usual boats, and of those that have fields inside fields. */
const FLAT: readonly Name[] = ['name', 'seats', 'kind'];
const DEEP: readonly Name[] = ['owner', 'tags'];

/** Boats that are created, read, listed and removed. @param refusals the statuses of wrong bodies */
function boats(names: readonly Name[], refusals: readonly number[]): string {
  const properties = Object.fromEntries(names.map((name) => [name, FIELDS[name]]));
  const required = names.filter((name) => name !== 'kind' && name !== 'tags');
  const boat = { type: 'object', required, properties };
  const made = {
    type: 'object',
    required: ['id', ...required],
    properties: { id: { type: 'integer' }, ...properties },
  };
  const said = (status: number, schema?: object) => ({
    [status]: { description: 'x', ...(schema ? json(schema) : {}) },
  });
  const refused = Object.assign({}, ...refusals.map((status) => said(status, ERROR)));
  return documentWith({
    '/boats': {
      get: { operationId: 'list', responses: said(200, { type: 'array', items: made }) },
      post: {
        operationId: 'make',
        requestBody: { required: true, ...json(boat) },
        responses: { ...said(201, made), ...refused },
      },
    },
    '/boats/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'read', responses: { ...said(200, made), ...said(404, ERROR) } },
      delete: { operationId: 'drop', responses: { ...said(204), ...said(404, ERROR) } },
    },
  });
}

type Boat = Record<string, unknown> & { name: string; owner: { note: string } };
type Check = (value: unknown) => boolean;

interface Habits {
  /** What comes back before anything is checked. */
  early?: (text: string, body: unknown) => Answered | undefined;
  /** What becomes of a body before it is checked. */
  read?: (body: unknown) => unknown;
  /** Fields that are checked in another way than the document says. */
  checks?: Partial<Record<Name, Check>>;
  isRight?: Check;
  /** What is stored of a body, while the response shows what was sent. */
  kept?: (boat: Boat) => object;
}

const isText = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isAbsentOr =
  (isFine: Check): Check =>
  (value) =>
    value === undefined || isFine(value);
const isInt32 = (value: unknown) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;

/** Whether each field of a body is as the document says. */
const CHECKS: Record<Name, Check> = {
  name: (value) => isText(value) && [...String(value)].length <= 200,
  seats: isInt32,
  serial: Number.isSafeInteger,
  kind: isAbsentOr((value) => value === 'boat' || value === 'ship'),
  owner: (value) => isObject(value) && isText(value.note),
  tags: isAbsentOr((value) => Array.isArray(value) && value.every(isText)),
};
const strict =
  (names: readonly Name[], checks: Habits['checks'] = {}): Check =>
  (body) =>
    isObject(body) && names.every((name) => (checks[name] ?? CHECKS[name])(body[name]));

const OF_ANOTHER = { id: 1, name: 'of another', seats: 1, serial: 1, owner: { note: '' } };

/** A service for boats, one of which somebody else's. */
function harbor(
  { early = () => undefined, read = (body) => body, kept = (boat) => boat, checks, ...habits }: Habits,
  names: readonly Name[],
) {
  const isRight = habits.isRight ?? strict(names, checks);
  const store = new Map<number, object>([[1, OF_ANOTHER]]);
  let last = 1;
  const answer = ({ method, path, body: text }: Asked): Answered => {
    const id = Number(path.split('/')[2]);
    if (method === 'POST') {
      let body: unknown;
      try {
        body = text === '' ? undefined : JSON.parse(text);
      } catch {
        return [422, { message: 'no JSON' }];
      }
      const soon = early(text, body);
      if (soon) return soon;
      const sent = read(body);
      if (!isRight(sent)) return [422, { message: 'wrong' }];
      last += 1;
      store.set(last, { ...kept(sent as Boat), id: last });
      return [201, { ...(sent as Boat), id: last }];
    }
    if (path === '/boats') return [200, [...store.values()]];
    const boat = store.get(id);
    if (!boat) return [404, { message: 'none' }];
    return method === 'DELETE' && store.delete(id) ? [204] : [200, boat];
  };
  return { answer, store };
}

/** What a run that writes says of such a service. */
async function told(habits: Habits, refusals = [422], names = FLAT) {
  const { answer, store } = harbor(habits, names);
  const result = await judged(boats(names, refusals), answer, { write: true });
  const found = (id: string) => result.report.requirements.find((each) => each.id === id);
  return { ...result, found, left: [...store.keys()] };
}

const crash = (isCrashing: (text: string, body: unknown) => boolean): Habits => ({
  early: (text, body) => (isCrashing(text, body) ? [500, { message: 'sorry' }] : undefined),
});
const nameOf = (body: unknown) => (isObject(body) ? body.name : undefined);

test('an empty body that a framework refuses with another status is no valid request that is refused', async () => {
  const { wrong, found } = await told({ early: (text) => (text === '' ? [400] : undefined) });
  expect(wrong).toEqual([]);
  expect(found('open.refusals')?.observed).toBe('no response showed this');
});

const CRASHES: readonly [what: string, habits: Habits, title: RegExp, names?: readonly Name[]][] = [
  ['null in a field', crash((_, body) => nameOf(body) === null), /name is null/],
  [
    'null inside an object',
    crash((_, body) => isObject(body) && isObject(body.owner) && body.owner.note === null),
    /owner\.note is null/,
    DEEP,
  ],
  ['an empty body', crash((text) => text === ''), /an empty body/],
  ['null', crash((_, body) => body === null), /null instead of an object/],
  ['an array', crash((_, body) => Array.isArray(body)), /an array instead of an object/],
  ['an emoji', crash((text) => /\p{Extended_Pictographic}/u.test(text)), /texts of several scripts/],
  ['a backslash', crash((text) => text.includes('\\\\new')), /texts of several scripts/],
];

/** Each with a documented refusal or without, and by night with both. */
const REFUSED = CRASHES.flatMap((row, index) =>
  [[422], []]
    .filter((_, place) => isNightly || place === index % 2)
    .map((refusals) => [row[0], refusals, row] as const),
);

test.each(REFUSED)(
  'a service that breaks on %s violates the interface, whose documented refusals are %j',
  async (_what, refusals, [, habits, title, names]) => {
    const { report, wrong, found } = await told(habits, refusals, names);
    expect(wrong).toEqual(['make.responses']);
    expect(report.verdict).toBe('non-conformant');
    expect(found('make.responses')?.reason).toMatch(title);
  },
);

test.each<[what: string, habits: Habits, title: RegExp, names?: readonly Name[]]>([
  [
    'an array of the right body',
    { isRight: (body) => strict(FLAT)(Array.isArray(body) ? body[0] : body) },
    /an array instead/,
  ],
  [
    'null for a required field',
    { checks: { name: (name) => name === null || CHECKS.name(name) } },
    /name is null/,
  ],
  ['a fraction', { checks: { seats: (seats) => isInt32(Math.trunc(Number(seats))) } }, /seats is a fraction/],
  ['a number beyond int32', { checks: { seats: Number.isInteger } }, /seats is one beyond int32/],
  [
    'a member in another case',
    { checks: { kind: isAbsentOr((kind) => /^(?:boat|ship)$/i.test(String(kind))) } },
    /kind is BOAT, which is not a member/,
  ],
  [
    'an object inside without its field',
    { checks: { owner: (owner) => isObject(owner) && isAbsentOr(isText)(owner.note) } },
    /owner\.note is missing/,
    DEEP,
  ],
  [
    'an object in a list of texts',
    {
      checks: {
        tags: isAbsentOr(
          (tags) => Array.isArray(tags) && tags.every((each) => isText(each) || isObject(each)),
        ),
      },
    },
    /tags\[0\] is an object/,
    DEEP,
  ],
])('a service that accepts %s gets an advisory, and nothing stays', async (_, habits, title, names) => {
  const { report, wrong, found, left } = await told(habits, [422], names);
  expect(wrong).toEqual(['make.body']);
  expect([report.verdict, report.summary.violated]).toEqual(['conformant', 0]);
  expect(found('make.body')?.reason).toMatch(title);
  expect(left).toEqual([1]);
});

const named = (change: (name: string) => string) => (boat: Boat) => ({ ...boat, name: change(boat.name) });

test.each<[what: string, kept: (boat: Boat) => object, names?: readonly Name[]]>([
  ['cuts a text', named((name) => name.slice(0, 40))],
  ['decodes a text', named((name) => name.replaceAll('%41', 'A'))],
  ['escapes markup', named((name) => name.replaceAll('<', '&lt;'))],
  ['loses what is not Latin', named((name) => Buffer.from(name, 'latin1').toString('latin1'))],
  [
    'drops backslashes inside an object',
    (boat) => ({ ...boat, owner: { note: boat.owner.note.replaceAll('\\', '') } }),
    DEEP,
  ],
])('a service that %s, and says that it did not, gets an advisory', async (_, kept, names) => {
  const { report, wrong, left } = await told({ kept }, [422], names);
  expect(wrong).toEqual(['read.created']);
  expect([report.verdict, left]).toEqual(['conformant', [1]]);
});

const PAGE: Answered = [400, Buffer.from('<h1>Bad request</h1>'), { 'content-type': 'text/html' }];
const hasEmoji = (text: string) => /\p{Extended_Pictographic}/u.test(text);

test.each<[what: string, habits: Habits]>([
  ['is as the document says', {}],
  [
    'refuses an emoji as documented',
    { early: (text) => (hasEmoji(text) ? [422, { message: 'no' }] : undefined) },
  ],
  ['has a firewall that refuses markup', { early: (text) => (/<b/.test(text) ? [403] : undefined) }],
  ['trims texts', { kept: named((name) => name.trim()) }],
  ['normalizes texts', { kept: named((name) => name.normalize('NFC')) }],
  ['ignores unknown fields', { kept: ({ name, seats }) => ({ name, seats }) }],
  [
    'has a framework that refuses what is no object with its own page',
    { early: (_, body) => (isObject(body) ? undefined : PAGE) },
  ],
  [
    'shows the text that it keeps',
    { read: (body) => (strict(FLAT)(body) ? named((name) => name.replaceAll('<', ''))(body as Boat) : body) },
  ],
])('a service that %s conforms', async (_, habits) => {
  const { report, wrong, met, left } = await told(habits, [400, 422]);
  expect(wrong).toEqual([]);
  expect(report.verdict).toBe('conformant');
  expect(met).toContain('make.body');
  expect(left).toEqual([1]);
});

test('where no refusal is documented, a service that converts or takes whatever comes is not accused', async () => {
  const converting = {
    read: (body: unknown) => {
      const sent = Object(Array.isArray(body) ? body[0] : body);
      return {
        name: String(sent.name ?? '').slice(0, 200),
        seats: Math.trunc(Number(sent.seats)) % 2 ** 31 || 0,
      };
    },
    isRight: () => true,
  };
  const { report, wrong, left, asked } = await told(converting, []);
  expect([wrong, report.verdict, left]).toEqual([[], 'conformant', [1]]);
  // A run creates sixteen things at most, and removes them.
  expect(report.requests.things).toEqual({ created: 16, removed: 16, stillThere: 0, mayHaveBeenCreated: 0 });
  expect(asked.filter(({ method }) => method === 'DELETE').length).toBeGreaterThanOrEqual(16);
});

test.each<[what: string, kept: (boat: Boat) => object, names?: readonly Name[]]>([
  ['as they are', (boat) => boat],
  [
    'as null where something is missing',
    (boat) => ({ ...boat, name: boat.name ?? null, seats: boat.seats ?? null }),
  ],
  ['with the nearest double of a number', (boat) => boat, ['name', 'serial']],
])(
  'wrong bodies that a service keeps %s are held against the requests that sent them',
  async (_, kept, names) => {
    const all = { isRight: () => true, read: (body: unknown) => body ?? {}, kept };
    const { report, wrong } = await told(all, [422], names);
    expect(wrong).toEqual(['make.body']);
    expect(report.summary.violated).toBe(0);
  },
);

test('a refused text takes nothing away from the other things', async () => {
  const { report, met } = await told({
    early: (text) => (hasEmoji(text) ? [422, { message: 'no' }] : undefined),
  });
  expect(met).toEqual(expect.arrayContaining(['make.201', 'read.created', 'read.removed', 'make.id']));
  expect(report.summary['not-tested']).toBe(0);
});
