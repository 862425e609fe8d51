import type { CallWhere, Change } from '../../changes/change.ts';
import { concernsCall } from '../../changes/change.ts';
import { answering, onAnswer, onCall, withoutHeader, withStatus } from '../../changes/changes.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { checkListQuery } from '../../validation.ts';
import { type Fault, violating } from '../fault.ts';
import { limiting } from '../requests.ts';

const authorization = ({ headers }: Call): string => headers.authorization ?? '';

/** Accepts wrong keys. `test` gets the header that was sent and the right one. */
const accepting = (test: (sent: string, right: string) => boolean, where: CallWhere = {}): Change => ({
  request: (call) => {
    const isWrong = call.key === 'invalid' && concernsCall(where, call);
    return isWrong && test(authorization(call), `Bearer ${call.rightKey}`) ? { ...call, key: 'valid' } : call;
  },
});

const open = (where: CallWhere): Change => onCall(where, (call) => ({ ...call, key: 'valid' }));
const isBearer = (sent: string) => /^bearer \S/i.test(sent);
const token = (header: string) => header.split(' ').at(-1) ?? '';

/** Keys: missing, wrong, nearly right, or with another scheme. */
export const authenticationFaults: readonly Fault[] = [
  ...violating('Unauthorized', {
    'key-403': ['a missing or wrong key gets 403', withStatus({ status: 401 }, 403)],
    'key-wrong-403': [
      'a missing key gets 401, a wrong one 403',
      withStatus({ status: 401, key: 'invalid' }, 403),
    ],
    'key-missing-400': [
      'a missing Authorization header gets 400',
      withStatus({ status: 401, key: 'missing' }, 400),
    ],
    'key-wrong-fetch-404': [
      'with a wrong key, GET /pets/{petId} returns 404',
      withStatus({ status: 401, operation: 'getPet', key: 'invalid' }, 404),
    ],
    'key-missing-create-500': [
      'POST /pets looks up the account of the missing key and fails: 500',
      withStatus({ status: 401, operation: 'createPet', key: 'missing' }, 500),
    ],
    'key-missing-login': [
      'a request without a key is redirected to a login page: 302',
      onAnswer({ status: 401, key: 'missing' }, (answer) => ({
        status: 302,
        headers: [...answer.headers, ['Location', '/login']],
        body: undefined,
      })),
    ],
    'key-error-200': [
      'a rejected key gets 200; only the body says that it is an error',
      onAnswer({ status: 401 }, (answer) => ({ ...answer, status: 200 })),
    ],
  }),
  {
    id: 'list-public',
    summary: 'animals can be listed without a key',
    violates: ['Unauthorized', 'authentication.first'],
    because: 'the one request without a key that every seed sends is also wrong, and refused for that',
    ...open({ operation: 'listPets', key: 'missing' }),
  },
  ...violating('Unauthorized', {
    'create-public': ['POST /pets does not check the key at all', open({ operation: 'createPet' })],
    'message-public': ['the message address does not check the key at all', open({ listener: 'messages' })],
  }),
  ...violating('authentication.key', {
    'key-any': ['any key is accepted', accepting(isBearer)],
    'key-any-fetch': ['GET /pets/{petId} accepts any key', accepting(isBearer, { operation: 'getPet' })],
    'key-any-orders': [
      'GET /store/orders requires a key but accepts any',
      accepting(isBearer, { operation: 'getStoreOrders' }),
    ],
    'key-any-create': [
      'POST /pets requires a key but accepts any',
      accepting(isBearer, { operation: 'createPet' }),
    ],
    'key-any-message': [
      'the message address accepts any key',
      accepting(isBearer, { listener: 'messages' }),
      { seeds: [0, 1, 2, 3] },
    ],
    'key-empty': ['an empty key is accepted', accepting((sent) => /^bearer *$/i.test(sent))],
    'key-longer': [
      'a key that begins with the right one is accepted',
      accepting((sent, key) => sent.startsWith(key)),
    ],
    'key-shorter': [
      'a prefix of the right key is accepted',
      accepting((sent, key) => isBearer(sent) && key.startsWith(sent)),
    ],
    'key-first-half': [
      'only the first half of the key is compared',
      accepting((sent, key) => sent.startsWith(key.slice(0, 7 + Math.ceil((key.length - 7) / 2)))),
    ],
    'key-any-case': [
      'keys are compared case-insensitively',
      accepting((sent, key) => sent.toLowerCase() === key.toLowerCase()),
    ],
  }),
  ...violating('authentication.scheme', {
    'scheme-basic': [
      'the key is also accepted with the scheme Basic',
      accepting((sent, key) => sent === `Basic ${token(key)}`),
    ],
    'scheme-ignored': [
      'the last word of the header is taken as the key, whatever comes before it',
      accepting((sent, key) => token(sent) === token(key)),
    ],
    'scheme-missing': [
      '"Bearer " is optional: the bare key is accepted',
      accepting((sent, key) => sent.replace('Bearer ', '') === token(key)),
    ],
  }),
  ...violating('authentication.challenge', {
    'challenge-none': ['a 401 has no WWW-Authenticate', withoutHeader({ status: 401 }, 'WWW-Authenticate')],
    'challenge-none-message': [
      'a 401 of the message address has no WWW-Authenticate',
      withoutHeader({ status: 401, listener: 'messages' }, 'WWW-Authenticate'),
    ],
  }),
];

const isMalformed = ({ bodyProblem }: Call) => bodyProblem !== undefined;
const isKept = (id: string | undefined, store: Call['store']) =>
  /^-?\d+$/.test(id ?? '') && store.get(BigInt(id ?? 0)) !== undefined;
const refuse = () => errorAnswer(401, 'unauthorized', 'this key has no right to that');

/** Keys that are checked too late, and 401s for other reasons than the key. */
export const keyCheckFaults: readonly Fault[] = [
  ...violating('authentication.first', {
    'first-parsed': [
      'POST /pets parses the body before it checks the key: malformed JSON gets 400',
      withStatus({ status: 401, operation: 'createPet', when: isMalformed }, 400),
    ],
    'first-parsed-422': [
      'POST /pets validates the body before it checks the key and returns 422',
      withStatus({ status: 401, operation: 'createPet', when: isMalformed }, 422),
    ],
    'first-parsed-message': [
      'the message address parses the body before it checks the key',
      withStatus({ status: 401, operation: 'sendMessage', when: isMalformed }, 400),
    ],
    'first-looked-up': [
      'GET /pets/{petId} looks up the animal before it checks the key: 404 even without a valid key',
      withStatus(
        { status: 401, operation: 'getPet', when: ({ params, store }) => !isKept(params.petId, store) },
        404,
      ),
    ],
    'first-queried': [
      'GET /pets validates its query before it checks the key: 400 even without a valid key',
      withStatus(
        { status: 401, operation: 'listPets', when: ({ query }) => 'problem' in checkListQuery(query) },
        400,
      ),
    ],
    'queried-public': [
      'the rule that protects GET /pets overlooks addresses with a query: they need no key',
      onCall({ operation: 'listPets', when: ({ query }) => query.size > 0 }, (call) => ({
        ...call,
        key: 'valid',
      })),
    ],
  }),
  ...violating('authentication.accepted', {
    'accepted-orders-401': [
      'GET /store/orders requires another kind of key: 401',
      answering({ operation: 'getStoreOrders' }, refuse),
    ],
    'accepted-text-id-401': [
      'a petId that is not an integer gets 401, as if the key were wrong',
      answering({ operation: 'getPet', when: ({ params }) => !/^-?\d+$/.test(params.petId ?? '') }, refuse),
    ],
    'accepted-limit-401': [
      'a limit above 100 gets 401, as if the key did not allow it',
      answering(
        limiting((limit) => limit > 100),
        refuse,
      ),
    ],
  }),
];
