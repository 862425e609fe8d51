import { loadContract } from '../../src/contract/load.ts';
import type { Judged } from '../../src/judge/evidence/judged.ts';
import { judgeExchange } from '../../src/judge/exchange/judge-exchange.ts';
import type { HeaderLine } from '../../src/model/exchange.ts';
import { expecting, OPEN } from '../../src/model/http/expectation.ts';
import { stringifyJson } from '../../src/model/json.ts';
import { probe } from '../../src/probes/probe.ts';
import { exchange } from '../exchanges/exchange.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: object, type = 'application/json') => ({ content: { [type]: { schema } } });
const shows = (schema: object) => ({
  description: 'x',
  headers: { 'X-Version': { required: true, schema: { type: 'string' } } },
  ...content(schema),
});

/** Things that are listed, added, read, changed and replaced. */
function things(path: string, name: string, sent: object, shown: object, type?: string) {
  const requestBody = { required: true, ...content(sent, type) };
  const refused = { 400: { description: 'x' } };
  const at = (id: string) => ({ operationId: `${id}${name}`, responses: { 200: shows(shown), ...refused } });
  const parameters = [{ name: 'id', in: 'path', required: true, schema: {} }];
  const list = { operationId: `list${name}`, responses: { 200: shows({ type: 'array', items: shown }) } };
  const make = { operationId: `make${name}`, requestBody, responses: { 201: shows(shown), ...refused } };
  const replace = { ...at('replace'), requestBody };
  const change = { ...at('change'), requestBody: { required: true, ...content(ref('Change')) } };
  return {
    [path]: { get: list, post: make },
    [`${path}/{id}`]: { parameters, get: at('read'), patch: change, put: replace },
  };
}

const FIELDS = {
  title: { type: 'string', minLength: 1 },
  done: { type: 'boolean' },
  level: { type: 'string', enum: ['low', 'high'] },
  owner: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } },
};
const NEW = {
  type: 'object',
  properties: { ...FIELDS, note: {} },
  additionalProperties: false,
  maxProperties: 4,
};
const TASK = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: ['integer', 'string'] }, ...FIELDS, note: { type: 'string' } },
  additionalProperties: false,
};
const inTask = (name: string) => ({ type: 'object', properties: { task: ref(name) } });
const board = {
  put: {
    operationId: 'setBoard',
    requestBody: content(ref('Change')),
    responses: { 200: shows(ref('Task')) },
  },
};

/** The document of a service for tasks. It does not say when each response comes. */
export const contract = loadContract({
  openapi: JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Tasks', version: '1' },
    paths: {
      ...things('/tasks', 'Task', ref('New'), ref('Task')),
      ...things('/cards', 'Card', inTask('New'), inTask('Task')),
      ...things('/forms', 'Form', ref('New'), ref('Task'), 'application/x-www-form-urlencoded'),
      '/': board,
    },
    components: { schemas: { New: { ...NEW, required: ['title'] }, Change: NEW, Task: TASK } },
  }),
  requirements: '{}',
});

/** A request, and what a service that takes any body answers. Texts are sent and shown as they are. */
export interface Step {
  by: string;
  /** The path, if it is not that of all things. */
  at?: string;
  /** A wrong body; undefined for a read. */
  sent?: unknown;
  /** The document says nothing of how wrong bodies are refused. */
  isOpen?: true;
  shown: unknown;
  status?: number;
  headers?: readonly HeaderLine[];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : stringifyJson(value));
export const HEADERS: readonly HeaderLine[] = [
  ['Content-Type', 'application/json'],
  ['X-Version', '1'],
];

/** These requests, sent one after the other, each judged by itself. */
export function answered(...steps: Step[]): Judged[] {
  return steps.map(({ by, at, sent, isOpen, shown, headers = HEADERS, ...step }, index) => {
    const operation = contract.operations.find((each) => each.id === by);
    if (!operation) throw new Error(`no operation ${by}`);
    const { method, path } = operation;
    const refusal = { validity: 'invalid', rule: `${by}.body`, expectation: expecting([], ['400']) } as const;
    const wrong = isOpen ? ({ validity: 'open', expectation: OPEN } as const) : refusal;
    const sentBy =
      sent === undefined
        ? probe(operation, 'plain', 'read', { title: 'a read', expectation: expecting(['200']) })
        : probe(operation, 'wrong', 'invalid', { title: 'a wrong body', isWriting: true, ...wrong });
    const status = step.status ?? (method === 'POST' ? 201 : 200);
    const sentBody = sent === undefined ? {} : { requestBody: textOf(sent) };
    const response = { status, headers: [...headers], body: textOf(shown) };
    const about = {
      id: index + 1,
      probe: sentBy.id,
      operation: by,
      method,
      url: `http://a.test${at ?? path}`,
    };
    const controlled = { probe: sentBy, operation, controls: [] };
    return judgeExchange(
      { ...controlled, exchange: exchange({ ...about, ...sentBody, response }) },
      { contract, probes: [], today: 0, referencesKnown: true },
    );
  });
}
