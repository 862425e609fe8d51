import { answering, hanging, onAnswer, onCall } from '../../changes/changes.ts';
import type { CallWhere } from '../../changes/where.ts';
import type { Call } from '../../http/call.ts';
import { NEEDLESS_ESCAPE } from '../../http/needless-escape.ts';
import { crash, creatingOther, mojibake, page } from '../building-blocks.ts';
import type { Fault } from '../fault.ts';

const CREATIONS = { operation: 'createPet' } as const;
const MESSAGES = { operation: 'sendMessage', key: 'valid' } as const;

const typeOf = ({ headers }: Call) => headers['content-type'] ?? '';
const hasCharset = (call: Call) => /;\s*charset=/i.test(typeOf(call));
/** The media type in another case than in the interface. */
const isCasedType = (call: Call) =>
  /^application\/json/i.test(typeOf(call)) && !typeOf(call).startsWith('application/json');
const isChunked = ({ headers }: Call) => headers['transfer-encoding'] !== undefined;
const hasUnknown = ({ query }: Call) =>
  [...query.keys()].some((name) => name !== 'limit' && name !== 'status');
const queryText = ({ target, path }: Call) => target.slice(path.length);

const listing = (when: (call: Call) => boolean): CallWhere => ({ operation: 'listPets', when });

/** The declaration of a body, how it is sent, and the spelling of addresses and queries. */
export const requestFaults: readonly Fault[] = [
  {
    id: 'charset-500',
    summary: 'a Content-Type with a charset is an unknown media type to POST /pets: 500',
    violates: ['createPet.responses'],
    ...answering({ ...CREATIONS, when: hasCharset }, crash),
  },
  {
    id: 'charset-latin-1',
    summary: 'a body with a charset is read as latin-1, whatever the charset is',
    violates: ['createPet.echo'],
    ...creatingOther((animal, call) =>
      hasCharset(call) ? { ...animal, name: mojibake(animal.name) } : animal,
    ),
  },
  {
    id: 'charset-message-502',
    summary: 'a message with a charset gets 502',
    violates: ['sendMessage.responses'],
    ...answering({ ...MESSAGES, when: hasCharset }, () => page(502)),
  },
  {
    id: 'media-type-case-500',
    summary: 'media types are compared with their case: Application/JSON gets 500',
    violates: ['createPet.responses'],
    ...answering({ ...CREATIONS, when: isCasedType }, crash),
  },
  {
    id: 'media-type-case-form',
    summary: 'a body whose media type is not in lower case is read as a form: blanks become pluses',
    violates: ['createPet.echo'],
    ...creatingOther((animal, call) =>
      isCasedType(call) ? { ...animal, name: animal.name.replaceAll(' ', '+') } : animal,
    ),
  },
  {
    id: 'chunked-500',
    summary: 'a body in chunks has no Content-Length, which POST /pets requires: 500',
    violates: ['createPet.responses'],
    ...answering({ ...CREATIONS, when: isChunked }, crash),
  },
  {
    id: 'chunked-name-cut',
    summary: 'of a body in chunks, a name keeps only its first five characters',
    violates: ['createPet.echo'],
    ...creatingOther((animal, call) =>
      isChunked(call) ? { ...animal, name: animal.name.slice(0, 5) } : animal,
    ),
  },
  {
    id: 'chunked-message-hangs',
    summary: 'a message in chunks gets no response',
    violates: ['service.http'],
    ...hanging({ ...MESSAGES, when: isChunked }, 'nothing'),
  },
  {
    id: 'parameter-unknown-500',
    summary: 'an unknown query parameter becomes a column of the database query: 500',
    violates: ['listPets.responses'],
    ...answering(listing(hasUnknown), crash),
  },
  {
    id: 'parameter-unknown-twice',
    summary: 'an unknown query parameter joins another table: the first animal of a list is there twice',
    violates: ['listPets.distinct'],
    ...onAnswer({ ...listing(hasUnknown), status: 200 }, (answer) => ({
      ...answer,
      body:
        Array.isArray(answer.body) && answer.body.length > 1
          ? [...answer.body.slice(0, 1), ...answer.body.slice(0, -1)]
          : answer.body,
    })),
  },
  {
    id: 'parameter-unknown-orders-502',
    summary: 'GET /store/orders passes an unknown query parameter on to a service that fails: 502',
    violates: ['getStoreOrders.responses'],
    ...answering({ operation: 'getStoreOrders', when: hasUnknown }, () => page(502)),
  },
  {
    id: 'escape-path-500',
    summary: 'a percent-encoded letter in the path of a list is decoded after routing: 500',
    violates: ['listPets.responses'],
    ...answering(
      listing(({ path }) => NEEDLESS_ESCAPE.test(path)),
      crash,
    ),
  },
  {
    id: 'escape-query-unfiltered',
    summary: 'the filter finds status only without percent-encoding: it is ignored',
    violates: ['listPets.status'],
    ...onCall(
      listing((call) => call.query.has('status') && NEEDLESS_ESCAPE.test(queryText(call))),
      (call) => ({
        ...call,
        query: new URLSearchParams([...call.query].filter(([name]) => name !== 'status')),
      }),
    ),
  },
  {
    id: 'escape-path-first',
    summary: 'an id with a percent-encoded digit is read as NaN: the first animal is returned',
    violates: ['getPet.stored'],
    store: {
      read: (animal, _, call) => (animal && NEEDLESS_ESCAPE.test(call.path) ? call.store.all()[0] : animal),
    },
  },
];
