import type { Call, OperationId } from '../../http/call.ts';
import type { Fault } from '../fault.ts';

/** Whether an Authorization header is wrong in a certain way. */
type IsWrong = (sent: string, key: string) => boolean;

/** An operation accepts keys that are wrong in this way. */
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

/** The end of a fault's id, with its operation, and what a summary calls it. */
const OPERATIONS = {
  list: ['listPets', 'GET /pets'],
  create: ['createPet', 'POST /pets'],
  fetch: ['getPet', 'GET /pets/{petId}'],
  orders: ['getStoreOrders', 'GET /store/orders'],
  message: ['sendMessage', 'the message address'],
} as const;
type OperationSuffix = keyof typeof OPERATIONS;

/** A fault per operation: it accepts keys that are wrong in this way. `seeds` says which operations, and which seeds show it. */
const wrongly = (
  id: string,
  what: string,
  isWrong: IsWrong,
  seeds: Partial<Record<OperationSuffix, Seeds>>,
): Fault[] =>
  Object.entries(seeds).map(([name, shown]) => {
    const [operation, called] = OPERATIONS[name as OperationSuffix];
    return {
      id: `${id}-${name}`,
      summary: `${called} ${what}`,
      violates: [id.startsWith('scheme-') ? 'authentication.scheme' : 'authentication.key'],
      seeds: shown,
      ...letIn(operation, isWrong),
    };
  });

/** Wrong keys that a single operation accepts. */
export const wrongKeyFaults: readonly Fault[] = [
  ...wrongly('key-longer', 'accepts a key that begins with the right one', isLonger, {
    create: [2, 6],
    orders: [0, 4],
    fetch: [1, 5],
  }),
  ...wrongly('key-shorter', 'accepts the beginning of the key', isShorter, {
    list: [2, 6],
    fetch: [0, 4],
    message: [2],
  }),
  ...wrongly('key-case', 'compares the key without its case', isOtherCase, {
    list: [1, 5],
    create: [0, 4],
    orders: [2, 6],
  }),
  ...wrongly('key-empty', 'accepts an empty key', isEmpty, {
    fetch: [1, 4],
    orders: [0, 3, 6],
    create: [2, 5],
  }),
  ...wrongly('key-unknown', 'accepts keys that it does not know', isUnknown, {
    fetch: [2, 6],
    orders: [1, 5],
  }),
  ...wrongly('scheme-bare', 'accepts the key without a scheme', isBare, {
    create: [1, 4],
    orders: [2, 5],
    message: [6],
  }),
  ...wrongly('scheme-other', 'accepts the key under another scheme', isOtherScheme, {
    fetch: [2, 5],
    create: [0, 3, 6],
    message: [5],
  }),
  {
    id: 'key-followed-fetch',
    summary:
      'GET /pets/{petId} reads the header up to the next blank, and accepts the key with another word behind it',
    violates: ['authentication.key'],
    isAfterRecovery: true,
    ...letIn('getPet', isFollowed),
  },
];
