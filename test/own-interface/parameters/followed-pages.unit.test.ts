import { describe, expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const entry = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const query = (name: string, schema: object) => ({ name, in: 'query', schema });
const LIMIT = query('limit', { type: 'integer', minimum: 1, maximum: 50 });
const CURSOR = query('cursor', { type: 'string' });

/** A document with one list, whose responses have these fields beside the things. */
function listing(
  fields: object,
  parameters: object[] = [LIMIT, CURSOR],
  headers: object = {},
  item: object = entry,
): string {
  const schema = {
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array', items: item }, ...fields },
  };
  const responses = {
    200: { description: 'Things.', headers, content: { 'application/json': { schema } } },
    400: { description: 'No.' },
  };
  return documentWith({ '/things': { get: { operationId: 'list', parameters, responses } } });
}

const NEXT = { next_cursor: { type: ['string', 'null'] } };
const LINK = { Link: { schema: { type: 'string' } } };

interface Thing {
  id: number;
}

const things = (...ids: number[]): Thing[] => ids.map((id) => ({ id }));
const FIVE = things(1, 2, 3, 4, 5);

const limitOf = ({ query: asked }: Asked) => Number(asked.get('limit') ?? 20);

/** A list cut at ids: a page begins after the id that the cursor names. */
const afterId =
  (
    from: (all: readonly Thing[], after: number) => readonly Thing[],
    all: () => readonly Thing[] = () => FIVE,
  ) =>
  (asked: Asked): Answered => {
    const rest = from(all(), Number(asked.query.get('cursor') ?? 0));
    const items = rest.slice(0, limitOf(asked));
    return [200, { items, next_cursor: items.length < rest.length ? String(items.at(-1)?.id) : null }];
  };
const keyset = afterId((all, after) => all.filter(({ id }) => id > after));

/** A list cut at places: a page begins at the place in the cursor, which nobody can read. */
const atPlace =
  (all: () => readonly Thing[], next: (end: number, length: number) => number | undefined) =>
  (asked: Asked): Answered => {
    const begin = Number(Buffer.from(asked.query.get('cursor') ?? '', 'base64url').toString() || '0');
    const end = begin + limitOf(asked);
    const place = next(end, all().length);
    const cursor = place === undefined ? null : Buffer.from(String(place)).toString('base64url');
    return [200, { items: all().slice(begin, end), next_cursor: cursor }];
  };
const whileThere = (end: number, length: number) => (end < length ? end : undefined);

const ID = 'list.cursor.pages';

test('an honest list meets it, and its pages are asked for until the last one', async () => {
  const { wrong, met, asked } = await judged(listing(NEXT), keyset);
  expect(wrong).toEqual([]);
  expect(met).toContain(ID);
  const followed = asked.flatMap((each) => each.query.getAll('cursor')).filter((each) => /^\d$/.test(each));
  expect(followed).toEqual(['2', '4']);
});

describe('an advisory', () => {
  test.each<[what: string, reason: string, service: (asked: Asked) => Answered]>([
    [
      'each page begins with the last entry before',
      'an entry is in two',
      afterId((all, after) => all.filter(({ id }) => id >= after)),
    ],
    [
      'the first entry of the next page is lost',
      'is in none of the pages',
      afterId((all, after) => all.filter(({ id }) => id > after + (after > 0 ? 1 : 0))),
    ],
    [
      'the last page leads to the first one',
      'have no end',
      atPlace(
        () => FIVE,
        (end, length) => (end < length ? end : 0),
      ),
    ],
    [
      'the last page leads to itself',
      'have no end',
      atPlace(
        () => FIVE,
        (end, length) => (end < length ? end : length - 1),
      ),
    ],
    [
      'every page has a next one',
      'have no end',
      atPlace(
        () => FIVE,
        (end) => end,
      ),
    ],
    [
      'the pages end too early',
      'is in none of the pages',
      atPlace(
        () => FIVE,
        (end) => (end < 4 ? end : undefined),
      ),
    ],
    [
      'there is only one page',
      'is in none of the pages',
      atPlace(
        () => FIVE,
        () => undefined,
      ),
    ],
    [
      'the cursor is ignored',
      'an entry is in two',
      (asked) => [
        200,
        { items: FIVE.slice(0, limitOf(asked)), next_cursor: `c${asked.query.get('cursor') ?? ''}` },
      ],
    ],
    [
      'a long list loses entries',
      'is in none of the pages',
      atPlace(
        () => things(...Array.from({ length: 60 }, (_, index) => index)),
        (end) => end + 1,
      ),
    ],
  ])('%s', async (_, reason, service) => {
    const { wrong, report } = await judged(listing(NEXT), service);
    expect(wrong).toEqual([ID]);
    expect(report.requirements.find(({ id }) => id === ID)?.reason).toContain(reason);
    expect(report.verdict).not.toBe('non-conformant');
  });
});

/** One more thing for each request. */
function growing(where: 'first' | 'last'): () => readonly Thing[] {
  let all = FIVE;
  return () => {
    const added = { id: 100 + all.length };
    all = where === 'first' ? [added, ...all] : [...all, added];
    return all;
  };
}

describe('that conforms:', () => {
  test.each<[what: string, service: (asked: Asked) => Answered, fields?: object]>([
    [
      'things are added at the end',
      afterId((all, after) => all.filter(({ id }) => id > after), growing('last')),
    ],
    ['things are added at the beginning, and places move', atPlace(growing('first'), whileThere)],
    [
      'two pages in between have no entry',
      (asked) => {
        const place = Number(asked.query.get('cursor') ?? 0);
        const pages = [things(1), [], [], things(2), things(3)];
        if (!asked.query.has('limit')) return [200, { items: things(1, 2, 3), next_cursor: null }];
        return [200, { items: pages[place] ?? [], next_cursor: place < 4 ? String(place + 1) : null }];
      },
    ],
    [
      'a next cursor of 0 says that there is no next page',
      (asked) => {
        const begin = Number(asked.query.get('cursor') ?? 0);
        const end = begin + limitOf(asked);
        return [200, { items: FIVE.slice(begin, end), next_cursor: end < FIVE.length ? end : 0 }];
      },
      { next_cursor: { type: 'integer' } },
    ],
    [
      'a feed has a new cursor after each request, also after its last entry',
      (asked) => {
        const begin = Number(asked.query.get('cursor')?.split('-')[0] ?? 0);
        const end = Math.min(begin + limitOf(asked), FIVE.length);
        return [200, { items: FIVE.slice(begin, end), cursor: `${end}-${crypto.randomUUID()}` }];
      },
      { cursor: { type: 'string' } },
    ],
    ['nothing is there', atPlace(() => [], whileThere)],
    [
      'the cursor of a page is its own',
      (asked) => {
        const own = asked.query.get('cursor') ?? 'start';
        return [200, { items: FIVE.slice(0, limitOf(asked)), cursor: own }];
      },
      { cursor: { type: 'string' } },
    ],
    ...[
      ['has_more', false],
      ['done', true],
      ['isLast', true],
    ].map(([flag, onLast]): [string, (asked: Asked) => Answered, object] => [
      `a last page has a cursor for what comes later, and says that it is the last one: ${flag}`,
      (asked) => {
        const begin = Number.parseInt(asked.query.get('cursor') ?? '0', 10);
        const end = Math.min(begin + limitOf(asked), FIVE.length);
        const isLast = end === FIVE.length;
        const next_cursor = `${end}-${crypto.randomUUID()}`;
        return [200, { items: FIVE.slice(begin, end), next_cursor, [String(flag)]: isLast === onLast }];
      },
      { ...NEXT, [String(flag)]: { type: 'boolean' } },
    ]),
    [
      'an empty page at the end names itself, where later things will be',
      atPlace(
        () => FIVE,
        (end, length) => Math.min(end, length),
      ),
    ],
    [
      'a cursor that the service gave is refused',
      (asked) => (asked.query.has('cursor') ? [400] : keyset(asked)),
    ],
    ['limit is ignored, and there is one page', () => [200, { items: FIVE.slice(0, 1), next_cursor: null }]],
  ])('%s', async (_, service, fields = NEXT) => {
    const { wrong } = await judged(listing(fields), service);
    expect(wrong).toEqual([]);
  });
});

test('events that are alike, and have no id, are no entry twice', async () => {
  const events = ['start', 'tick', 'tick', 'tick', 'stop'].map((kind) => ({ kind }));
  const event = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
  const { wrong } = await judged(listing(NEXT, undefined, undefined, event), (asked) => {
    const begin = Number(asked.query.get('cursor') ?? 0);
    const end = begin + Number(asked.query.get('limit') ?? 2);
    return [200, { items: events.slice(begin, end), next_cursor: end < events.length ? String(end) : null }];
  });
  expect(wrong).toEqual([]);
});

describe('the header Link', () => {
  const linked =
    (address: (end: number) => string | undefined, first = 0) =>
    (asked: Asked): Answered => {
      const begin = Number(asked.query.get('from') ?? 0);
      const end = begin + limitOf(asked);
      const next = end < FIVE.length ? address(end) : undefined;
      const link = [
        '</about>; rel="help"',
        ...(next === undefined ? [] : [`<${next}>; title="a, b"; rel="next last"`]),
      ];
      return [200, { items: FIVE.slice(begin + (begin > 0 ? first : 0), end) }, { link: link.join(', ') }];
    };
  const run = (service: (asked: Asked) => Answered) => judged(listing({}, [LIMIT], LINK), service);

  test('is followed to the end', async () => {
    const { wrong, met } = await run(linked((end) => `?limit=2&from=${end}`));
    expect(wrong).toEqual([]);
    expect(met).toContain('list.Link.pages');
  });

  test('that leads back is an advisory', async () => {
    const { wrong } = await run(linked(() => '/things?limit=2'));
    expect(wrong).toEqual(['list.Link.pages']);
  });

  test('whose pages lose an entry is an advisory', async () => {
    const { wrong } = await run(linked((end) => `/things?limit=2&from=${end}`, 1));
    expect(wrong).toEqual(['list.Link.pages']);
  });

  test.each([
    ['http://other.example/things?from=2'],
    ['/others?limit=2&from=2'],
    ['//other.example/things?from=2'],
    ['http://user:secret@127.0.0.1/things?from=2'],
    ['javascript:alert(1)'],
    [`/things?${'a=1&'.repeat(60)}from=2`],
  ])('%s is not followed', async (address) => {
    const { wrong, untested, asked } = await run(linked(() => address));
    expect(wrong).toEqual([]);
    expect(untested).toContain('list.Link.pages');
    expect(asked.every(({ path, query: sent }) => path === '/things' && !sent.has('from'))).toBe(true);
  });

  test('that nobody can read says nothing', async () => {
    const { wrong } = await run(() => [200, { items: FIVE.slice(0, 1) }, { link: '<<<; rel=next' }]);
    expect(wrong).toEqual([]);
  });
});

describe('an address in the body', () => {
  const page = query('page', { type: 'integer', minimum: 1 });
  const fields = { next: { type: ['string', 'null'], format: 'uri' } };
  const paged =
    (turn: (next: number) => number) =>
    (asked: Asked): Answered => {
      const number = Number(asked.query.get('page') ?? 1);
      if (!(number >= 1)) return [400];
      const items = FIVE.slice((number - 1) * 2, number * 2);
      const next =
        number * 2 < FIVE.length ? `http://${asked.headers.host}/things?page=${turn(number + 1)}` : null;
      return [200, { items, next }];
    };

  test('is followed to the end', async () => {
    const { wrong, met } = await judged(
      listing(fields, [page]),
      paged((next) => next),
    );
    expect(wrong).toEqual([]);
    expect(met).toContain('list.next.pages');
  });

  test('that leads to an earlier page is an advisory', async () => {
    const { wrong } = await judged(
      listing(fields, [page]),
      paged(() => 1),
    );
    expect(wrong).toEqual(['list.next.pages']);
  });
});

test('the key in the address of the next page is not sent twice, and is in no file', async () => {
  const document = {
    '/things': {
      get: {
        operationId: 'list',
        security: [{ key: [] }],
        parameters: [LIMIT],
        responses: {
          200: {
            description: 'Things.',
            headers: LINK,
            content: { 'application/json': { schema: { type: 'array', items: entry } } },
          },
          401: { description: 'No.' },
        },
      },
    },
  };
  const path = documentWith(document, {
    securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'api_key' } },
  });
  const apiKey = 'k-5d8f1c9e7b3a';
  const { wrong, met, asked, report } = await judged(
    path,
    ({ query: sent }) => {
      if (sent.get('api_key') !== apiKey) return [401];
      const from = Number(sent.get('from') ?? 0);
      const end = from + Number(sent.get('limit') ?? 20);
      const link = end < 5 ? { link: `</things?api_key=${apiKey}&limit=2&from=${end}>; rel=next` } : {};
      return [200, FIVE.slice(from, end), link];
    },
    { apiKey },
  );
  expect(wrong).toEqual([]);
  expect(met).toContain('list.Link.pages');
  expect(asked.every(({ query: sent }) => sent.getAll('api_key').length <= 1)).toBe(true);
  expect(JSON.stringify(report)).not.toContain(apiKey);
});
