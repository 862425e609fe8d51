import type { Change } from '../../changes/change.ts';
import { closingAfter, onAnswer, onList, withHeader } from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { appendHeaders } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import { ANY_HEADERS, FIELD_ORDER, LAG, MAXIMUM } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const ID = 'Pet: id is "assigned by the service on creation"; whether ids leave gaps is not said';
const CLOSE = 'RFC 9112 section 9.6: a server may close a connection after any response';
const MINUTE_MS = 60_000;
const SIZES = [1, 2, 5, 10, 20, 50, 100];

/** A refused addition has already taken an id from the sequence. */
const takingIds: Change = {
  handle: async (call, next) => {
    const answer = await next(call);
    if (call.operation === 'createPet' && answer.status === 400) call.store.nextId();
    return answer;
  },
};

/** Each list is kept for a minute, by its query. */
const caching: Change = {
  handle: async (call, next) => {
    if (call.operation !== 'listPets') return next(call);
    const cache = call.recall('lists of a minute', () => new Map<string, { answer: Answer; at: number }>());
    const cached = cache.get(String(call.query));
    if (cached && call.now - cached.at < MINUTE_MS) return cached.answer;
    const answer = await next(call);
    cache.set(String(call.query), { answer, at: call.now });
    return answer;
  },
};

const requestsOf = ({ log, connection }: Call) =>
  log.filter((entry) => entry.connection === connection).length;
const refusals = ({ log, number }: Call) =>
  log.filter((entry) => entry.number < number && entry.status === 401);

/** Services in which an earlier request can be noticed later, in ways that the interface leaves open. */
export const historyVariants: readonly Variant[] = [
  variantOf('ids-gap-after-refusal', 'a refused addition uses up an id', ID, takingIds),
  variantOf('list-cached', 'a list is kept for a minute and leaves out what was added since', LAG, caching),
  ...allowedBy(ANY_HEADERS, {
    'refusals-told': [
      'a header says how many requests with a wrong key came before',
      withHeader({ key: 'valid' }, 'X-Failed-Attempts', (_old, _answer, call) =>
        String(refusals(call).length),
      ),
    ],
    'connection-told': [
      'headers number the connection and its requests',
      onAnswer({}, (answer, call) =>
        appendHeaders(answer, [
          ['X-Connection', String(call.connection)],
          ['X-Request-Of-Connection', String(requestsOf(call))],
        ]),
      ),
    ],
  }),
  ...[400, 404].map((status) =>
    variantOf(
      `closes-after-${status}`,
      `the connection closes after a ${status}`,
      CLOSE,
      closingAfter({ status }),
    ),
  ),
  variantOf(
    'pages-rounded-down',
    'page sizes are rounded down to 1, 2, 5, 10, 20, 50 or 100',
    MAXIMUM,
    onList((query, next) =>
      next({ ...query, limit: SIZES.findLast((size) => size <= query.limit) ?? query.limit }),
    ),
  ),
  variantOf(
    'fields-as-sent',
    'an added animal comes back with its fields in the order in which they were sent',
    FIELD_ORDER,
    onAnswer({ operation: 'createPet', status: 201 }, (answer, { body: sent }) => {
      const { body } = answer;
      if (!isObject(body) || !isObject(sent)) return answer;
      const names = [...Object.keys(sent).filter((name) => name in body), ...Object.keys(body)];
      return { ...answer, body: Object.fromEntries(names.map((name) => [name, body[name] ?? null])) };
    }),
  ),
];
