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
  (bearer(sent)?.length ?? 0) > key.length && bearer(sent)?.startsWith(key) === true;
const isShorter: IsWrong = (sent, key) =>
  !!bearer(sent) && bearer(sent) !== key && key.startsWith(bearer(sent) ?? key);
const isOtherCase: IsWrong = (sent, key) => bearer(sent)?.toLowerCase() === key.toLowerCase();
const isEmpty: IsWrong = (sent) => /^bearer *$/i.test(sent);
const isBare: IsWrong = (sent, key) => sent === key;
const isOtherScheme: IsWrong = (sent, key) => !/^bearer /i.test(sent) && sent.endsWith(` ${key}`);
/** A key that has nothing in common with the right one. */
const isUnknown: IsWrong = (sent, key) => {
  const token = bearer(sent)?.toLowerCase() ?? '';
  return token !== '' && token[0] !== undefined && !token.startsWith(key.toLowerCase().slice(0, -1));
};

const key = (id: string, summary: string, operation: OperationId, isWrong: IsWrong): Fault => ({
  id,
  summary,
  violates: ['authentication.key'],
  ...letIn(operation, isWrong),
});
const scheme = (id: string, summary: string, operation: OperationId, isWrong: IsWrong): Fault => ({
  ...key(id, summary, operation, isWrong),
  violates: ['authentication.scheme'],
});

/** Keys that are wrong in one way and let in by one operation. */
export const wrongKeyFaults: readonly Fault[] = [
  key('key-longer-create', 'POST /pets accepts a key that begins with the right one', 'createPet', isLonger),
  key(
    'key-longer-orders',
    'GET /store/orders accepts a key that begins with the right one',
    'getStoreOrders',
    isLonger,
  ),
  key(
    'key-longer-fetch',
    'GET /pets/{petId} accepts a key that begins with the right one',
    'getPet',
    isLonger,
  ),
  key('key-shorter-list', 'GET /pets accepts the beginning of the key', 'listPets', isShorter),
  key('key-shorter-fetch', 'GET /pets/{petId} accepts the beginning of the key', 'getPet', isShorter),
  key(
    'key-shorter-message',
    'the message address accepts the beginning of the key',
    'sendMessage',
    isShorter,
  ),
  key('key-case-list', 'GET /pets compares the key without its case', 'listPets', isOtherCase),
  key('key-case-create', 'POST /pets compares the key without its case', 'createPet', isOtherCase),
  key(
    'key-case-orders',
    'GET /store/orders compares the key without its case',
    'getStoreOrders',
    isOtherCase,
  ),
  key('key-empty-fetch', 'GET /pets/{petId} accepts an empty key', 'getPet', isEmpty),
  key('key-empty-orders', 'GET /store/orders accepts an empty key', 'getStoreOrders', isEmpty),
  key('key-empty-create', 'POST /pets accepts an empty key', 'createPet', isEmpty),
  key('key-unknown-fetch', 'GET /pets/{petId} accepts keys that it does not know', 'getPet', isUnknown),
  key(
    'key-unknown-orders',
    'GET /store/orders accepts keys that it does not know',
    'getStoreOrders',
    isUnknown,
  ),
  scheme('scheme-bare-create', 'POST /pets accepts the key without a scheme', 'createPet', isBare),
  scheme(
    'scheme-bare-orders',
    'GET /store/orders accepts the key without a scheme',
    'getStoreOrders',
    isBare,
  ),
  scheme(
    'scheme-bare-message',
    'the message address accepts the key without a scheme',
    'sendMessage',
    isBare,
  ),
  scheme(
    'scheme-other-fetch',
    'GET /pets/{petId} accepts the key under another scheme',
    'getPet',
    isOtherScheme,
  ),
  scheme(
    'scheme-other-create',
    'POST /pets accepts the key under another scheme',
    'createPet',
    isOtherScheme,
  ),
  scheme(
    'scheme-other-message',
    'the message address accepts the key under another scheme',
    'sendMessage',
    isOtherScheme,
  ),
];
