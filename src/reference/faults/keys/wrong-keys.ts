import type { Call, OperationId } from '../../http/call.ts';
import type { Fault } from '../fault.ts';

/** Whether a header is wrong in one way. It gets what was sent, and the right key. */
type IsWrong = (sent: string, key: string) => boolean;

/** Lets in a key that is wrong in one way, on one operation. */
const letIn = (operation: OperationId, isWrong: IsWrong): Pick<Fault, 'request'> => ({
  request: (call: Call) => {
    const sent = call.headers.authorization ?? '';
    const isLetIn = call.operation === operation && call.key === 'invalid' && isWrong(sent, call.rightKey);
    return isLetIn ? { ...call, key: 'valid' } : call;
  },
});

const bearer = (sent: string): string | undefined => /^bearer +(.*)$/i.exec(sent)?.[1];
const isLonger: IsWrong = (sent, key) =>
  bearer(sent)?.startsWith(key) === true && /^\S+$/.test(bearer(sent) ?? '') && bearer(sent) !== key;
const isShorter: IsWrong = (sent, key) =>
  !!bearer(sent) && bearer(sent) !== key && key.startsWith(bearer(sent) ?? key);
const isOtherCase: IsWrong = (sent, key) => bearer(sent)?.toLowerCase() === key.toLowerCase();
const isEmpty: IsWrong = (sent) => /^bearer *$/i.test(sent);
/** The right key, and another word. */
const isFollowed: IsWrong = (sent, key) => bearer(sent)?.startsWith(`${key} `) === true;
const isBare: IsWrong = (sent, key) => sent === key;
const isOtherScheme: IsWrong = (sent, key) => !/^bearer /i.test(sent) && sent.endsWith(` ${key}`);
/** A key that has nothing in common with the right one. */
const isUnknown: IsWrong = (sent, key) => {
  const token = bearer(sent)?.toLowerCase() ?? '';
  return token !== '' && token[0] !== undefined && !token.startsWith(key.toLowerCase().slice(0, -1));
};

type Seeds = NonNullable<Fault['seeds']>;

const key = (id: string, summary: string, operation: OperationId, isWrong: IsWrong, seeds: Seeds): Fault => ({
  id,
  summary,
  violates: ['authentication.key'],
  seeds,
  ...letIn(operation, isWrong),
});
const scheme = (...described: Parameters<typeof key>): Fault => ({
  ...key(...described),
  violates: ['authentication.scheme'],
});

/** Keys that are wrong in one way and let in by one operation. */
export const wrongKeyFaults: readonly Fault[] = [
  key(
    'key-longer-create',
    'POST /pets accepts a key that begins with the right one',
    'createPet',
    isLonger,
    [2, 6],
  ),
  key(
    'key-longer-orders',
    'GET /store/orders accepts a key that begins with the right one',
    'getStoreOrders',
    isLonger,
    [0, 4],
  ),
  key(
    'key-longer-fetch',
    'GET /pets/{petId} accepts a key that begins with the right one',
    'getPet',
    isLonger,
    [1, 5],
  ),
  key('key-shorter-list', 'GET /pets accepts the beginning of the key', 'listPets', isShorter, [2, 6]),
  key('key-shorter-fetch', 'GET /pets/{petId} accepts the beginning of the key', 'getPet', isShorter, [0, 4]),
  key(
    'key-shorter-message',
    'the message address accepts the beginning of the key',
    'sendMessage',
    isShorter,
    [2],
  ),
  key('key-case-list', 'GET /pets compares the key without its case', 'listPets', isOtherCase, [1, 5]),
  key('key-case-create', 'POST /pets compares the key without its case', 'createPet', isOtherCase, [0, 4]),
  key(
    'key-case-orders',
    'GET /store/orders compares the key without its case',
    'getStoreOrders',
    isOtherCase,
    [2, 6],
  ),
  key('key-empty-fetch', 'GET /pets/{petId} accepts an empty key', 'getPet', isEmpty, [1, 4]),
  key('key-empty-orders', 'GET /store/orders accepts an empty key', 'getStoreOrders', isEmpty, [0, 3, 6]),
  key('key-empty-create', 'POST /pets accepts an empty key', 'createPet', isEmpty, [2, 5]),
  key(
    'key-unknown-fetch',
    'GET /pets/{petId} accepts keys that it does not know',
    'getPet',
    isUnknown,
    [2, 6],
  ),
  key(
    'key-unknown-orders',
    'GET /store/orders accepts keys that it does not know',
    'getStoreOrders',
    isUnknown,
    [1, 5],
  ),
  scheme('scheme-bare-create', 'POST /pets accepts the key without a scheme', 'createPet', isBare, [1, 4]),
  scheme(
    'scheme-bare-orders',
    'GET /store/orders accepts the key without a scheme',
    'getStoreOrders',
    isBare,
    [2, 5],
  ),
  scheme(
    'scheme-bare-message',
    'the message address accepts the key without a scheme',
    'sendMessage',
    isBare,
    [6],
  ),
  scheme(
    'scheme-other-fetch',
    'GET /pets/{petId} accepts the key under another scheme',
    'getPet',
    isOtherScheme,
    [2, 5],
  ),
  scheme(
    'scheme-other-create',
    'POST /pets accepts the key under another scheme',
    'createPet',
    isOtherScheme,
    [0, 3, 6],
  ),
  scheme(
    'scheme-other-message',
    'the message address accepts the key under another scheme',
    'sendMessage',
    isOtherScheme,
    [5],
  ),
  {
    id: 'key-followed-fetch',
    summary:
      'GET /pets/{petId} reads the header up to the next blank, and accepts the key with another word behind it',
    violates: ['authentication.key'],
    isAfterRecovery: true,
    ...letIn('getPet', isFollowed),
  },
];
