import type { Change } from '../changes/change.ts';
import { onAnswer, onCall, withoutHeader, withStatus } from '../changes/changes.ts';
import type { CallWhere } from '../changes/where.ts';
import { concernsCall } from '../changes/where.ts';
import type { Call } from '../http/call.ts';
import type { Fault } from './fault.ts';

const authorization = ({ headers }: Call): string => headers.authorization ?? '';

/** Keys that are let in although they are wrong: `test` gets the header that was sent and the right one. */
const accepting = (test: (sent: string, right: string) => boolean, where: CallWhere = {}): Change => ({
  request: (call) => {
    const isWrong = call.key === 'invalid' && concernsCall(where, call);
    return isWrong && test(authorization(call), `Bearer ${call.rightKey}`) ? { ...call, key: 'valid' } : call;
  },
});

const open = (where: CallWhere): Change => onCall(where, (call) => ({ ...call, key: 'valid' }));
const isBearer = (sent: string) => /^bearer \S/i.test(sent);
const token = (header: string) => header.split(' ').at(-1) ?? '';

/** Keys: missing, wrong, nearly right, under another scheme. */
export const authenticationFaults: readonly Fault[] = [
  {
    id: 'key-403',
    summary: 'a missing or wrong key is answered 403',
    violates: ['Unauthorized'],
    ...withStatus({ status: 401 }, 403),
  },
  {
    id: 'key-wrong-403',
    summary: 'a missing key is answered 401, a wrong one 403',
    violates: ['Unauthorized'],
    ...withStatus({ status: 401, key: 'invalid' }, 403),
  },
  {
    id: 'key-missing-400',
    summary: 'a missing header is a bad request: 400',
    violates: ['Unauthorized'],
    ...withStatus({ status: 401, key: 'missing' }, 400),
  },
  {
    id: 'key-wrong-fetch-404',
    summary: 'with a wrong key, every animal is answered 404',
    violates: ['Unauthorized'],
    ...withStatus({ status: 401, operation: 'getPet', key: 'invalid' }, 404),
  },
  {
    id: 'key-missing-create-500',
    summary: 'POST /pets asks for the account of a key that is not there: 500',
    violates: ['Unauthorized'],
    ...withStatus({ status: 401, operation: 'createPet', key: 'missing' }, 500),
  },
  {
    id: 'key-missing-login',
    summary: 'without a key, one is sent to the login page: 302',
    violates: ['Unauthorized'],
    ...onAnswer({ status: 401, key: 'missing' }, (answer) => ({
      status: 302,
      headers: [...answer.headers, ['Location', '/login']],
      body: undefined,
    })),
  },
  {
    id: 'key-error-200',
    summary: 'a refused key is told in the body alone, which is answered 200',
    violates: ['Unauthorized'],
    ...onAnswer({ status: 401 }, (answer) => ({ ...answer, status: 200 })),
  },
  {
    id: 'list-public',
    summary: 'animals can be listed without a key',
    violates: ['Unauthorized'],
    ...open({ operation: 'listPets', key: 'missing' }),
  },
  {
    id: 'create-public',
    summary: 'POST /pets asks for no key, and looks at none',
    violates: ['Unauthorized'],
    ...open({ operation: 'createPet' }),
  },
  {
    id: 'message-public',
    summary: 'nobody looks at the key at the message address',
    violates: ['Unauthorized'],
    ...open({ listener: 'messages' }),
  },
  {
    id: 'key-any',
    summary: 'any key is let in, as long as there is one',
    violates: ['authentication.key'],
    ...accepting(isBearer),
  },
  {
    id: 'key-any-fetch',
    summary: 'GET /pets/{petId} lets in any key',
    violates: ['authentication.key'],
    ...accepting(isBearer, { operation: 'getPet' }),
  },
  {
    id: 'key-any-orders',
    summary: 'GET /store/orders asks for a key, and takes any',
    violates: ['authentication.key'],
    ...accepting(isBearer, { operation: 'getStoreOrders' }),
  },
  {
    id: 'key-any-create',
    summary: 'POST /pets checks only that there is a key',
    violates: ['authentication.key'],
    ...accepting(isBearer, { operation: 'createPet' }),
  },
  {
    id: 'key-any-message',
    summary: 'the message address lets in any key',
    violates: ['authentication.key'],
    ...accepting(isBearer, { listener: 'messages' }),
  },
  {
    id: 'key-empty',
    summary: 'an empty key is let in: nothing is compared with nothing',
    violates: ['authentication.key'],
    ...accepting((sent) => /^bearer *$/i.test(sent)),
  },
  {
    id: 'key-longer',
    summary: 'a key is let in that begins with the right one',
    violates: ['authentication.key'],
    ...accepting((sent, key) => sent.startsWith(key)),
  },
  {
    id: 'key-shorter',
    summary: 'a key is let in that the right one begins with',
    violates: ['authentication.key'],
    ...accepting((sent, key) => isBearer(sent) && key.startsWith(sent)),
  },
  {
    id: 'key-first-half',
    summary: 'a key is looked up by its first half, and the rest is never compared',
    violates: ['authentication.key'],
    ...accepting((sent, key) => sent.startsWith(key.slice(0, 7 + Math.ceil((key.length - 7) / 2)))),
  },
  {
    id: 'key-any-case',
    summary: 'the database compares keys without regard to case',
    violates: ['authentication.key'],
    ...accepting((sent, key) => sent.toLowerCase() === key.toLowerCase()),
  },
  {
    id: 'scheme-basic',
    summary: 'the key is let in under Basic, too',
    violates: ['authentication.scheme'],
    ...accepting((sent, key) => sent === `Basic ${token(key)}`),
  },
  {
    id: 'scheme-ignored',
    summary: 'whatever the header holds, its last word is taken for the key',
    violates: ['authentication.scheme'],
    ...accepting((sent, key) => token(sent) === token(key)),
  },
  {
    id: 'scheme-missing',
    summary: '"Bearer " is cut off where it is there: the bare key is let in',
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
