import type { Change } from '../../changes/change.ts';
import { answering, onCall, withQuery, withRequestBody } from '../../changes/changes.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { Call, OperationId } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const QUERY = 'GET /pets (listPets): what an invalid limit or an unknown status gets is not shown';
const ID = 'GET /pets/{petId} (getPet): what an id in another form than a decimal integer gets is not shown';
const ORDERS = 'GET /store/orders: its parameters and responses are not shown';
const FIELDS = 'POST /pets (createPet): what fields with other names than those of NewPet mean is not shown';
const DUPLICATES = 'GET /pets (listPets): what a repeated parameter means is not shown';

const NAMES: Readonly<Record<string, string>> = { name: 'name', categoryid: 'categoryId', status: 'status' };

/** Changes one parameter of a list; undefined leaves it out. */
const reading = (name: string, read: (values: readonly string[]) => string | undefined): Change =>
  withQuery({ operation: 'listPets', when: ({ query }) => query.has(name) }, (query) => {
    const value = read(query.getAll(name));
    query.delete(name);
    if (value !== undefined) query.set(name, value);
  });

const last = (values: readonly string[]) => values.at(-1) ?? '';
const first = (values: readonly string[]) => values[0] ?? '';
const bounded = (value: number) => String(Math.min(100, Math.max(1, Math.trunc(value) || 20)));

/** Fetches by the id that a change reads from the path. */
const fetching = (read: (id: string) => string): Change =>
  onCall({ operation: 'getPet' }, (call) => ({
    ...call,
    params: { ...call.params, petId: read(call.params.petId ?? '') },
  }));

const rejecting = (operation: OperationId, status: number, when: (call: Call) => boolean): Change =>
  answering({ operation, when }, () => errorAnswer(status, 'rejected', 'this request is not understood'));

const isPlainId = ({ params }: Call) => /^\d{1,18}$/.test(params.petId ?? '');
const suspicious = ({ query, params }: Call) =>
  [...query.values(), ...Object.values(params)].some((value) => /["'<>{}%*]/.test(value));

/** Services that read wrong or unusual queries, ids and parameters in ways that the interface leaves open. */
export const lenientVariants: readonly Variant[] = [
  ...allowedBy(QUERY, {
    'lenient-limit-parsed': [
      'a limit is read up to its first letter and cut to 1 to 100',
      reading('limit', (values) => bounded(Number.parseInt(first(values), 10))),
    ],
    'lenient-limit-any-number': [
      'a limit in any form of a number is read and cut to 1 to 100',
      reading('limit', (values) => bounded(Number(first(values)))),
    ],
    'lenient-limit-ignored': [
      'a limit that is not a decimal number is ignored',
      reading('limit', (values) => (/^(?:100|[1-9]\d?)$/.test(first(values)) ? first(values) : undefined)),
    ],
  }),
  ...allowedBy(DUPLICATES, {
    'lenient-limit-last': ['of repeated limits the last one counts', reading('limit', last)],
    'lenient-limit-first': ['of repeated limits the first one counts', reading('limit', first)],
    'lenient-status-last': ['of repeated statuses the last one counts', reading('status', last)],
  }),
  ...allowedBy(QUERY, {
    'lenient-status-trimmed': [
      'a status filter is read in any case and without blanks',
      reading('status', (values) => first(values).trim().toLowerCase()),
    ],
    'lenient-status-empty': [
      'an empty status filter is like no filter',
      reading('status', (values) => first(values) || undefined),
    ],
    'lenient-status-first-of-two': [
      'of two statuses with a comma the first one counts',
      reading('status', (values) => first(values).split(',')[0]),
    ],
    'lenient-status-nothing': [
      'an unknown status finds nothing',
      answering(
        {
          operation: 'listPets',
          when: ({ query }) =>
            query.has('status') && !/^(?:available|pending|sold)$/.test(query.get('status') ?? ''),
        },
        () => jsonAnswer(200, []),
      ),
    ],
  }),
  ...allowedBy(ID, {
    'lenient-id-any-form': [
      'leading zeros, a sign and blanks in an id are skipped',
      { settings: { firstId: 1n } },
      fetching((id) =>
        id
          .trim()
          .replace(/^\+/, '')
          .replace(/^0+(?=\d)/, ''),
      ),
    ],
    'lenient-id-parsed': [
      'an id is read up to its first letter',
      { settings: { firstId: 1n } },
      fetching((id) => /^-?\d+/.exec(id)?.[0] ?? id),
    ],
    'lenient-id-rejected': [
      'an id that is not a positive int64 in decimal gets 400',
      rejecting('getPet', 400, (call) => !/^[1-9]\d{0,18}$/.test(call.params.petId ?? '')),
    ],
    'lenient-id-unprocessable': [
      'an id in another form gets 422',
      rejecting('getPet', 422, (call) => !isPlainId(call) && !/^\d{19}$/.test(call.params.petId ?? '')),
    ],
  }),
  ...allowedBy(ORDERS, {
    'lenient-orders-strict': [
      'orders with a parameter get 400',
      rejecting('getStoreOrders', 400, ({ query }) => query.size > 0),
    ],
    'lenient-orders-empty': [
      'orders with a parameter are an empty list',
      answering({ operation: 'getStoreOrders', when: ({ query }) => query.size > 0 }, () =>
        jsonAnswer(200, []),
      ),
    ],
  }),
  variantOf(
    'lenient-signs-forbidden',
    'signs that an attack may have get 403 in a query or an id',
    QUERY,
    rejecting('listPets', 403, suspicious),
    rejecting('getPet', 403, suspicious),
  ),
  variantOf(
    'lenient-names-any-case',
    'the names of fields are read in any case, and the last of two counts',
    FIELDS,
    withRequestBody({ operation: 'createPet' }, (body = null) =>
      isObject(body)
        ? Object.fromEntries(
            Object.entries(body).map(([name, value]) => [NAMES[name.toLowerCase()] ?? name, value]),
          )
        : body,
    ),
  ),
];
