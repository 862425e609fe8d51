import type { CallWhere, Change } from '../../changes/change.ts';
import { concernsCall } from '../../changes/change.ts';
import { answering, onAnswer, onCall, withoutHeader, withStatus } from '../../changes/changes.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { checkListQuery } from '../../validation.ts';
import type { Fault } from '../fault.ts';
import { limiting } from '../mistakes.ts';

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
  {
    id: 'key-403',
    summary: 'a missing or wrong key gets 403',
    violates: ['Unauthorized'],
    ...withStatus({ status: 401 }, 403),
  },
  {
    id: 'key-wrong-403',
    summary: 'a missing key gets 401, a wrong one 403',
    violates: ['Unauthorized'],
    ...withStatus({ status: 401, key: 'invalid' }, 403),
  },
  {
    id: 'key-missing-400',
    summary: 'a missing Authorization header gets 400',
    violates: ['Unauthorized'],
    ...withStatus({ status: 401, key: 'missing' }, 400),
  },
  {
    id: 'key-wrong-fetch-404',
    summary: 'with a wrong key, GET /pets/{petId} returns 404',
    violates: ['Unauthorized'],
    ...withStatus({ status: 401, operation: 'getPet', key: 'invalid' }, 404),
  },
  {
    id: 'key-missing-create-500',
    summary: 'POST /pets looks up the account of the missing key and fails: 500',
    violates: ['Unauthorized'],
    ...withStatus({ status: 401, operation: 'createPet', key: 'missing' }, 500),
  },
  {
    id: 'key-missing-login',
    summary: 'a request without a key is redirected to a login page: 302',
    violates: ['Unauthorized'],
    ...onAnswer({ status: 401, key: 'missing' }, (answer) => ({
      status: 302,
      headers: [...answer.headers, ['Location', '/login']],
      body: undefined,
    })),
  },
  {
    id: 'key-error-200',
    summary: 'a rejected key gets 200; only the body says that it is an error',
    violates: ['Unauthorized'],
    ...onAnswer({ status: 401 }, (answer) => ({ ...answer, status: 200 })),
  },
  {
    id: 'list-public',
    summary: 'animals can be listed without a key',
    violates: ['Unauthorized', 'authentication.first'],
    because: 'the one request without a key that every seed sends is also wrong, and refused for that',
    ...open({ operation: 'listPets', key: 'missing' }),
  },
  {
    id: 'create-public',
    summary: 'POST /pets does not check the key at all',
    violates: ['Unauthorized'],
    ...open({ operation: 'createPet' }),
  },
  {
    id: 'message-public',
    summary: 'the message address does not check the key at all',
    violates: ['Unauthorized'],
    ...open({ listener: 'messages' }),
  },
  {
    id: 'key-any',
    summary: 'any key is accepted',
    violates: ['authentication.key'],
    ...accepting(isBearer),
  },
  {
    id: 'key-any-fetch',
    summary: 'GET /pets/{petId} accepts any key',
    violates: ['authentication.key'],
    ...accepting(isBearer, { operation: 'getPet' }),
  },
  {
    id: 'key-any-orders',
    summary: 'GET /store/orders requires a key but accepts any',
    violates: ['authentication.key'],
    ...accepting(isBearer, { operation: 'getStoreOrders' }),
  },
  {
    id: 'key-any-create',
    summary: 'POST /pets requires a key but accepts any',
    violates: ['authentication.key'],
    ...accepting(isBearer, { operation: 'createPet' }),
  },
  {
    id: 'key-any-message',
    summary: 'the message address accepts any key',
    violates: ['authentication.key'],
    seeds: [0, 1, 2, 3],
    ...accepting(isBearer, { listener: 'messages' }),
  },
  {
    id: 'key-empty',
    summary: 'an empty key is accepted',
    violates: ['authentication.key'],
    ...accepting((sent) => /^bearer *$/i.test(sent)),
  },
  {
    id: 'key-longer',
    summary: 'a key that begins with the right one is accepted',
    violates: ['authentication.key'],
    ...accepting((sent, key) => sent.startsWith(key)),
  },
  {
    id: 'key-shorter',
    summary: 'a prefix of the right key is accepted',
    violates: ['authentication.key'],
    ...accepting((sent, key) => isBearer(sent) && key.startsWith(sent)),
  },
  {
    id: 'key-first-half',
    summary: 'only the first half of the key is compared',
    violates: ['authentication.key'],
    ...accepting((sent, key) => sent.startsWith(key.slice(0, 7 + Math.ceil((key.length - 7) / 2)))),
  },
  {
    id: 'key-any-case',
    summary: 'keys are compared case-insensitively',
    violates: ['authentication.key'],
    ...accepting((sent, key) => sent.toLowerCase() === key.toLowerCase()),
  },
  {
    id: 'scheme-basic',
    summary: 'the key is also accepted with the scheme Basic',
    violates: ['authentication.scheme'],
    ...accepting((sent, key) => sent === `Basic ${token(key)}`),
  },
  {
    id: 'scheme-ignored',
    summary: 'the last word of the header is taken as the key, whatever comes before it',
    violates: ['authentication.scheme'],
    ...accepting((sent, key) => token(sent) === token(key)),
  },
  {
    id: 'scheme-missing',
    summary: '"Bearer " is optional: the bare key is accepted',
    violates: ['authentication.scheme'],
    ...accepting((sent, key) => sent.replace('Bearer ', '') === token(key)),
  },
  {
    id: 'challenge-none',
    summary: 'a 401 has no WWW-Authenticate',
    violates: ['authentication.challenge'],
    ...withoutHeader({ status: 401 }, 'WWW-Authenticate'),
  },
  {
    id: 'challenge-none-message',
    summary: 'a 401 of the message address has no WWW-Authenticate',
    violates: ['authentication.challenge'],
    ...withoutHeader({ status: 401, listener: 'messages' }, 'WWW-Authenticate'),
  },
];

const isMalformed = ({ bodyProblem }: Call) => bodyProblem !== undefined;
const isKept = (id: string | undefined, store: Call['store']) =>
  /^-?\d+$/.test(id ?? '') && store.get(BigInt(id ?? 0)) !== undefined;
const refuse = () => errorAnswer(401, 'unauthorized', 'this key has no right to that');

/** Keys that are checked too late, and 401s for other reasons than the key. */
export const keyCheckFaults: readonly Fault[] = [
  {
    id: 'first-parsed',
    summary: 'POST /pets parses the body before it checks the key: malformed JSON gets 400',
    violates: ['authentication.first'],
    ...withStatus({ status: 401, operation: 'createPet', when: isMalformed }, 400),
  },
  {
    id: 'first-parsed-422',
    summary: 'POST /pets validates the body before it checks the key and returns 422',
    violates: ['authentication.first'],
    ...withStatus({ status: 401, operation: 'createPet', when: isMalformed }, 422),
  },
  {
    id: 'first-parsed-message',
    summary: 'the message address parses the body before it checks the key',
    violates: ['authentication.first'],
    ...withStatus({ status: 401, operation: 'sendMessage', when: isMalformed }, 400),
  },
  {
    id: 'first-looked-up',
    summary: 'GET /pets/{petId} looks up the animal before it checks the key: 404 even without a valid key',
    violates: ['authentication.first'],
    ...withStatus(
      { status: 401, operation: 'getPet', when: ({ params, store }) => !isKept(params.petId, store) },
      404,
    ),
  },
  {
    id: 'first-queried',
    summary: 'GET /pets validates its query before it checks the key: 400 even without a valid key',
    violates: ['authentication.first'],
    ...withStatus(
      { status: 401, operation: 'listPets', when: ({ query }) => 'problem' in checkListQuery(query) },
      400,
    ),
  },
  {
    id: 'queried-public',
    summary: 'the rule that protects GET /pets overlooks addresses with a query: they need no key',
    violates: ['authentication.first'],
    ...onCall({ operation: 'listPets', when: ({ query }) => query.size > 0 }, (call) => ({
      ...call,
      key: 'valid',
    })),
  },
  {
    id: 'accepted-orders-401',
    summary: 'GET /store/orders requires another kind of key: 401',
    violates: ['authentication.accepted'],
    ...answering({ operation: 'getStoreOrders' }, refuse),
  },
  {
    id: 'accepted-text-id-401',
    summary: 'a petId that is not an integer gets 401, as if the key were wrong',
    violates: ['authentication.accepted'],
    ...answering({ operation: 'getPet', when: ({ params }) => !/^-?\d+$/.test(params.petId ?? '') }, refuse),
  },
  {
    id: 'accepted-limit-401',
    summary: 'a limit above 100 gets 401, as if the key did not allow it',
    violates: ['authentication.accepted'],
    ...answering(
      limiting((limit) => limit > 100),
      refuse,
    ),
  },
];
