import { type BigIntJson, isObject } from '../reference/http/json.ts';
import type { Answer, Call, Change } from '../reference/index.ts';
import type { Forgetting } from './things.ts';

/** A mistake that any service may have, whatever its document says. */
export interface GeneralFault {
  id: string;
  /** One line: what is wrong. */
  summary: string;
  forgets?: Forgetting;
  change?: Change;
}

/** One request of so many fails. */
const RARELY = 20;

/** Requests that a late limiter lets through beyond the limit. */
const LATE = 5;

/** The faults of `petspec serve --interface --fault`. */
export const generalFaults: readonly GeneralFault[] = [
  {
    id: 'missing-field',
    summary: 'objects in responses lack their first field',
    change: onObjects((object) => Object.fromEntries(Object.entries(object).slice(1))),
  },
  {
    id: 'wrong-type',
    summary: 'each text of a response is a number, and each number a text',
    change: onObjects((object) =>
      Object.fromEntries(Object.entries(object).map(([name, value]) => [name, otherType(value)])),
    ),
  },
  { id: 'lost-creation', summary: 'what is created is not kept', forgets: { creations: true } },
  { id: 'lost-update', summary: 'what is changed stays as it was', forgets: { changes: true } },
  { id: 'lost-removal', summary: 'what is removed is still there', forgets: { removals: true } },
  { id: 'same-id', summary: 'whatever is created gets the same id', forgets: { ids: true } },
  {
    id: 'late-429',
    summary: `the limit lets ${LATE} more requests through than it says`,
    change: { settings: { limiter: { leeway: LATE } } },
  },
  {
    id: 'one-in-twenty',
    summary: 'every twentieth request fails with 500',
    change: {
      handle: (call, next) => (call.number % RARELY === 0 ? failed() : next(call)),
    },
  },
  {
    id: 'any-key',
    summary: 'any key is accepted, and none is needed',
    change: { request: (call) => ({ ...call, key: 'valid' }) },
  },
  {
    id: 'no-validation',
    summary: 'requests that are not valid get a success',
    change: { handle: async (call, next) => accepted(call, await next(call)) },
  },
  {
    id: 'not-json',
    summary: 'every twentieth JSON body breaks off',
    change: {
      handle: async (call, next) => {
        const answer = await next(call);
        return call.number % RARELY === 0 && isObject(answer.body) ? { ...answer, body: '{"' } : answer;
      },
    },
  },
];

function failed(): Answer {
  return { status: 500, headers: [['Content-Type', 'application/json']], body: { message: 'it failed' } };
}

function accepted({ method }: Call, answer: Answer): Answer {
  const isRefusal = answer.status === 400 || answer.status === 422 || answer.status === 415;
  return isRefusal ? { ...answer, status: method === 'POST' ? 201 : 200 } : answer;
}

/** Changes each thing in a success: an object that holds no list of objects. */
function onObjects(change: (object: { [name: string]: BigIntJson }) => BigIntJson): Change {
  const inside = (value: BigIntJson): BigIntJson => {
    if (Array.isArray(value)) return value.map(inside);
    if (!isObject(value)) return value;
    const lists = Object.entries(value).filter(
      ([, member]) => Array.isArray(member) && member.some(isObject),
    );
    if (lists.length === 0) return change(value);
    return { ...value, ...Object.fromEntries(lists.map(([name, list]) => [name, inside(list)])) };
  };
  return {
    handle: async (call, next) => {
      const answer = await next(call);
      const { status, body } = answer;
      if (status >= 300 || body === undefined || Buffer.isBuffer(body)) return answer;
      return typeof body === 'object' ? { ...answer, body: inside(body) } : answer;
    },
  };
}

function otherType(value: BigIntJson): BigIntJson {
  if (typeof value === 'string') return 7n;
  return typeof value === 'bigint' || typeof value === 'number' ? `${value}` : value;
}
