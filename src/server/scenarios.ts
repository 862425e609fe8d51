import type { Contract, Operation, Schema } from '../model/contract.ts';
import { operationsById } from '../model/large/lookups.ts';
import { onAnswer, onWire } from '../reference/changes/changes.ts';
import { delayed } from '../reference/changes/wire-changes.ts';
import { withoutHeaderOf } from '../reference/http/answer.ts';
import type { Call } from '../reference/http/call.ts';
import { type BigIntJson, isObject } from '../reference/http/json.ts';
import type { Answer, Change, Reference } from '../reference/index.ts';
import { type Scenario, scenarios } from '../reference/scenarios/index.ts';
import { refusing } from '../reference/scenarios/refusals.ts';
import { documentedFor, isOfLimit, refusal } from './answers.ts';
import { type DocumentServerSettings, startDocumentServer } from './document-server.ts';

/** A scenario for clients of a document. */
export interface DocumentScenario extends Scenario {
  /** Ids of type int64 are beyond 2^53. */
  largeIds?: true;
}

/** Scenarios of the animal store that have nothing to do with animals. */
const SHARED = [
  ...['plain', 'other-form', 'extra-fields', 'retry-after-seconds', 'retry-after-date', 'window-closes'],
  ...['refused-again', 'long-wait', 'key-refused'],
];

/** Seconds that the clock of a service is slow, for dates in Retry-After. */
const SLOW_CLOCK = -300;

/** ms that a slow response takes. */
const SLOW = 3_000;

/** The scenarios in the order in which a client of a document is tried. */
export function documentScenarios(contract: Pick<Contract, 'operations'>): DocumentScenario[] {
  const shared = scenarios.filter(({ id }) => SHARED.includes(id));
  const byId = operationsById(contract.operations);
  return [
    ...shared,
    { id: 'large-ids', summary: 'ids of type int64 are beyond 2^53', largeIds: true, changes: () => [] },
    {
      id: 'new-member',
      summary: 'fields with an enumeration have a value that it does not list',
      changes: () => [withNewMembers(contract)],
    },
    {
      id: 'slow-clock',
      summary:
        'the first request gets 429; Retry-After is a date, and the clock of the service is five minutes slow',
      changes: ({ waits }) => [
        { settings: { clockSkew: SLOW_CLOCK } },
        refusing({ closings: 1, wait: waits.short + 1_000, retryAfter: 'http-date' }),
      ],
    },
    {
      id: 'no-retry-after',
      summary: 'the first request gets 429 without Retry-After',
      changes: ({ waits }) => [
        refusing({ closings: 1, wait: waits.short }),
        onAnswer({ status: 429 }, (answer) => withoutHeaderOf(answer, 'Retry-After')),
      ],
    },
    {
      id: 'unavailable',
      summary: 'the first request gets 503; Retry-After is a number of seconds',
      changes: ({ waits }) => [
        refusing({ closings: 1, wait: waits.short }),
        onAnswer({ status: 429 }, ({ headers }, call) => {
          const kept = headers.filter(([name]) => /^retry-after$/i.test(name) || isOfLimit(name));
          return refusal(operationIn(byId, call), 503, 'the service is not available for now', kept);
        }),
      ],
    },
    {
      id: 'server-error',
      summary: 'the first request gets 500',
      changes: () => [
        onAnswer({ key: 'valid' }, (answer, call) => {
          if (!isFirst(call)) return answer;
          const kept = answer.headers.filter(([name]) => isOfLimit(name));
          return refusal(operationIn(byId, call), 500, 'something went wrong', kept);
        }),
      ],
    },
    {
      id: 'broken-connection',
      summary: 'the connection ends in the middle of the first response',
      changes: () => [breakingFirst],
    },
    { id: 'slow', summary: `each response takes ${SLOW / 1000} seconds`, changes: () => [delayed({}, SLOW)] },
  ];
}

/** Starts the server of a document that a client meets in a scenario. */
export function scenarioServer(contract: Contract) {
  return (
    { largeIds }: DocumentScenario,
    settings: Pick<DocumentServerSettings, 'clock' | 'apiKey' | 'changes'>,
  ): Promise<Reference> => startDocumentServer(contract, { ...settings, largeIds: largeIds === true });
}

/** Whether a request is the first with the key. */
function isFirst(call: Call): boolean {
  return (
    call.key === 'valid' &&
    call.recall('first with the key', () => ({ number: call.number })).number === call.number
  );
}

function operationIn(byId: ReadonlyMap<string, Operation>, { operation }: Call): Operation | undefined {
  return operation === undefined ? undefined : byId.get(operation);
}

/** Sends half of the first response, and ends the connection. */
const breakingFirst: Change = onWire({}, async (answer, call, { socket }, next) => {
  if (!isFirst(call)) return next(answer);
  socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"');
  socket.destroySoon();
});

const NEW_MEMBER = 'petspec-new-member';

/** Successes in which texts with an enumeration have another value. */
function withNewMembers({ operations }: Pick<Contract, 'operations'>): Change {
  const byId = operationsById(operations);
  return onAnswer({}, (answer, call): Answer => {
    const { status, body } = answer;
    const operation = operationIn(byId, call);
    const schema = status < 300 ? documentedFor(operation, status)?.schema : undefined;
    if (!schema || typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return answer;
    return { ...answer, body: withMember(body, schema) };
  });
}

function withMember(value: BigIntJson, schema: Schema): BigIntJson {
  const whole = schema['x-circular'] ?? schema;
  if (typeof value === 'string') return whole.enum ? NEW_MEMBER : value;
  if (Array.isArray(value)) return value.map((entry) => withMember(entry, whole.items ?? {}));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withMember(field, whole.properties?.[name] ?? {})]),
  );
}
