import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

const text = { type: 'string' };
const FIELDS = {
  id: { type: 'integer' },
  address: {
    type: 'object',
    required: ['street'],
    properties: { street: text, since: { type: 'string', format: 'date-time' } },
  },
  tags: { type: 'array', items: text, minItems: 2, uniqueItems: true },
};

/** Shops that are created, read and replaced. @param shown what the document says of responses */
function shops(mediaType = JSON_TYPE, shown: object = {}): string {
  const fields = mediaType === FORM ? { id: FIELDS.id, name: text, tags: FIELDS.tags } : FIELDS;
  const { id: _, ...sent } = fields;
  // A response may show them in another form.
  const content = { [JSON_TYPE]: { schema: { type: 'object', properties: { id: FIELDS.id, ...shown } } } };
  const requestBody = {
    required: true,
    content: { [mediaType]: { schema: { type: 'object', required: Object.keys(sent), properties: sent } } },
  };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const none = { 400: { description: 'x' }, 404: { description: 'x' } };
  return documentWith({
    '/shops': {
      post: { operationId: 'make', requestBody, responses: { 201: { description: 'x', content }, ...none } },
    },
    '/shops/{id}': {
      parameters: [id],
      get: { operationId: 'read', responses: { 200: { description: 'x', content }, ...none } },
      put: {
        operationId: 'put',
        requestBody,
        responses: { 200: { description: 'x', content }, 204: { description: 'x' }, ...none },
      },
    },
  });
}

interface Shop {
  [name: string]: unknown;
  address: { street: string; since?: string };
  tags: string[];
}

/** What a service stores and answers when a shop is replaced. */
type Replace = (sent: Shop, old: Shop) => { stored: object; answered?: object };

/** A service for shops. @param create what it stores of a new shop */
function service(replace: Replace, create = (sent: Shop): object => sent) {
  const store = new Map<number, object>();
  return ({ method, path, headers, body }: Asked): Answered => {
    const sent = headers['content-type'] === FORM ? fromForm(body) : fromJson(body);
    if (method !== 'GET' && !sent) return [400];
    if (method === 'POST' && sent) {
      const id = store.size + 1;
      store.set(id, { id, ...create(sent) });
      return [201, { id, ...sent }];
    }
    const id = Number(path.split('/')[2]);
    const old = store.get(id);
    if (!old) return [404];
    if (!sent) return [200, old];
    const { stored, answered } = replace(sent, old as Shop);
    store.set(id, { id, ...stored });
    return answered ? [200, { id, ...answered }] : [204];
  };
}

/** What a body has; undefined if it is not as documented. */
function fromJson(body: string): Shop | undefined {
  try {
    const sent = JSON.parse(body) as Shop;
    const { street, since = '' } = sent.address;
    const isWhole = typeof street === 'string' && typeof since === 'string' && Array.isArray(sent.tags);
    return isWhole && sent.tags.every((each) => typeof each === 'string') ? sent : undefined;
  } catch {
    return undefined;
  }
}

function fromForm(body: string): Shop {
  const form = new URLSearchParams(body);
  return { name: form.get('name'), tags: form.getAll('tags') } as unknown as Shop;
}

const sound: Replace = (sent) => ({ stored: sent, answered: sent });
const rename = (sent: Shop) => ({ ...sent.address, street: 'another' });

const FAULTS: [
  what: string,
  id: string,
  mediaType: string,
  replace: Replace,
  create?: (sent: Shop) => object,
][] = [
  [
    'an object is kept, and the answer shows the new one',
    'read.replaced',
    JSON_TYPE,
    (sent, old) => ({ stored: { ...sent, address: old.address }, answered: sent }),
  ],
  [
    'an object is dropped, and the answer shows it',
    'read.replaced',
    JSON_TYPE,
    ({ address, ...sent }) => ({ stored: sent, answered: { ...sent, address } }),
  ],
  [
    'an object has another value than was answered',
    'read.replaced',
    JSON_TYPE,
    (sent) => ({ stored: { ...sent, address: rename(sent) }, answered: sent }),
  ],
  [
    'a list is kept, and the answer shows the new one',
    'read.replaced',
    JSON_TYPE,
    (sent, old) => ({ stored: { ...sent, tags: old.tags }, answered: sent }),
  ],
  [
    'a list loses an entry that was answered',
    'read.replaced',
    JSON_TYPE,
    (sent) => ({ stored: { ...sent, tags: sent.tags.slice(1) }, answered: sent }),
  ],
  ['nothing is replaced', 'read.replaced', JSON_TYPE, (_, old) => ({ stored: old })],
  [
    'a new thing has another object than was answered',
    'read.created',
    JSON_TYPE,
    sound,
    (sent) => ({ ...sent, address: rename(sent) }),
  ],
  ['a new thing has no entries', 'read.created', JSON_TYPE, sound, (sent) => ({ ...sent, tags: [] })],
  [
    'a text of a form is kept, and the answer shows the new one',
    'read.replaced',
    FORM,
    (sent, old) => ({ stored: { ...sent, name: old.name }, answered: sent }),
  ],
  [
    'a list of a form is kept, and the answer shows the new one',
    'read.replaced',
    FORM,
    (sent, old) => ({ stored: { ...sent, tags: old.tags }, answered: sent }),
  ],
];

test.each(FAULTS)('it is found that %s', async (_, id, mediaType, replace, create) => {
  const { wrong, report } = await judged(shops(mediaType), service(replace, create), { write: true });
  // The service takes whatever a form has.
  expect(wrong.filter((each) => mediaType !== FORM || !each.endsWith('.body'))).toEqual([id]);
  expect(report.requirements.find((each) => each.id === id)?.reason).toMatch(
    /^\w+ is (not what was sent|missing)$/,
  );
});

/** What a service may make of what was sent. */
const same =
  (stored: (sent: Shop) => object): Replace =>
  (sent) => ({ stored: stored(sent), answered: sent });

const CONFORMANT: [what: string, replace: Replace, create?: (sent: Shop) => object][] = [
  ['shows what was sent', sound],
  ['adds defaults', same((sent) => ({ ...sent, address: { ...sent.address, country: 'DE' }, rank: 1 }))],
  ['adds an entry', same((sent) => ({ ...sent, tags: ['all', ...sent.tags] }))],
  ['sorts a list', same((sent) => ({ ...sent, tags: sent.tags.toReversed() }))],
  [
    'writes a text in other letters',
    same((sent) => ({ ...sent, tags: sent.tags.map((each) => each.toUpperCase()) })),
  ],
  ['shows the id in place of an object', same((sent) => ({ ...sent, address: 17 }))],
  [
    'shows objects in place of texts',
    same((sent) => ({ ...sent, tags: sent.tags.map((name) => ({ name })) })),
  ],
  [
    'writes a time in another zone',
    same(({ address, ...sent }) => {
      const since = new Date(Date.parse(address.since ?? '') + 3_600_000)
        .toISOString()
        .replace('Z', '+01:00');
      return { ...sent, address: address.since ? { ...address, since } : address };
    }),
  ],
  [
    'does not replace an object, and says so',
    (sent, old) => ({
      stored: { ...sent, address: old.address },
      answered: { ...sent, address: old.address },
    }),
  ],
  [
    'does not replace an object, and says nothing',
    (sent, old) => ({ stored: { ...sent, address: old.address } }),
  ],
  ['never shows an object', same(({ address: _, ...sent }) => sent), ({ address: _, ...sent }) => sent],
  ['drops a list, and says so', ({ tags: _, ...sent }) => ({ stored: sent, answered: sent })],
];

test.each(CONFORMANT)('nothing is held against a service that %s', async (_, replace, create) => {
  const { wrong, met } = await judged(shops(), service(replace, create), { write: true });
  expect(wrong).toEqual([]);
  expect(met).toContain('read.created');
});

test('an object that has to be there is missing: that is one finding', async () => {
  const [, [, , , drops] = []] = FAULTS;
  const { report, wrong } = await judged(
    shops(JSON_TYPE, { address: { type: ['object'] } }),
    service((sent, old) => ({ ...drops?.(sent, old), stored: { ...sent, address: null } })),
    { write: true },
  );
  expect([report.verdict, wrong]).toEqual(['non-conformant', ['read.200.body.address']]);
});
