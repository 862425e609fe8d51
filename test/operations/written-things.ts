import type { Evidence } from '../../src/judge/evidence/check.ts';
import type { Judged } from '../../src/judge/evidence/judged.ts';
import type { Contract, Operation } from '../../src/model/contract.ts';
import { probe } from '../../src/probes/probe.ts';
import { exchange } from '../exchanges/exchange.ts';
import { creation, operation } from './operations.ts';

const ITEM = '/things/{thingId}';
export const create = creation({});
export const read = operation({ id: 'getThing', path: ITEM });
const put = operation({ id: 'putThing', method: 'PUT', path: ITEM });
const patch = operation({ id: 'patchThing', method: 'PATCH', path: ITEM });
const remove = operation({ id: 'removeThing', method: 'DELETE', path: ITEM });
/** What can be done to things. */
export const OPERATIONS = [create, read, put, patch, remove];

interface Answer {
  /** 0 where no response came. */
  status: number;
  body?: unknown;
  sent?: unknown;
  /** The media type of what is sent. */
  type?: string;
  /** The id in the path of a request that is for one thing. */
  of?: number;
}

export const OAK = { name: 'Oak', kind: 'wood' };
const ELM = { name: 'Elm', kind: 'wood' };

/** What a sound service answers to each request that writes or reads what was written, in the order in which they are sent. */
export const SOUND = {
  'createThing:first': { status: 201, sent: OAK, body: { id: 1, ...OAK } },
  'createThing:second': { status: 201, sent: ELM, body: { id: 2, ...ELM } },
  'getThing:created': { status: 200, body: { id: 1, ...OAK } },
  'getThing:created-second': { status: 200, body: { id: 2, ...ELM }, of: 2 },
  'putThing:changed': { status: 200, sent: { name: 'Ash', kind: 'wood' }, body: { id: 1, name: 'Ash' } },
  'getThing:changed-put': { status: 200, body: { id: 1, name: 'Ash', kind: 'wood' } },
  'patchThing:changed': { status: 200, sent: { name: 'Oak' }, body: { id: 1, ...OAK } },
  'getThing:changed-patch': { status: 200, body: { id: 1, ...OAK } },
  'removeThing:removal': { status: 204 },
  'getThing:removed': { status: 404 },
} as const satisfies Record<string, Answer>;

/** What is different: another answer to some requests; undefined for one that was not sent. */
export type Change = { [Name in keyof typeof SOUND]?: Partial<Answer> | undefined };

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

function answered(id: number, name: string, { status, body, sent, type, of = 1 }: Answer): Judged {
  const [operationId, last = ''] = name.split(':');
  const asked = OPERATIONS.find((each) => each.id === operationId) as Operation;
  const sentProbe = probe(asked, last, 'create', { title: name, isWriting: true });
  const path = asked.path.replace('{thingId}', String(of));
  return {
    exchange: exchange({
      ...{ id, probe: name, operation: asked.id, method: asked.method, url: `http://127.0.0.1/v1${path}` },
      ...(sent === undefined ? {} : { requestBody: textOf(sent) }),
      ...(type === undefined ? {} : { requestHeaders: [['Content-Type', type]] }),
      ...(status === 0 ? {} : { response: { status, headers: [], body: textOf(body) ?? '' } }),
    }),
    ...{ probe: sentProbe, operation: asked, outcome: 'answered', isSound: true },
    ...{ met: [], deviations: [], hidden: [] },
  };
}

/** What a run shows whose answers are sound but for a change. */
export function evidenceOf(contract: Contract, change: Change): Evidence {
  const all = Object.entries({ ...SOUND, ...change });
  const judged = all.flatMap(([name, answer], index) =>
    answer ? [answered(index + 1, name, { ...SOUND[name as keyof typeof SOUND], ...answer })] : [],
  );
  return {
    ...{ contract, judged, unsent: [], probes: judged.map((each) => each.probe), today: 0 },
    ...{ referencesKnown: true, baseUrl: 'http://127.0.0.1/v1', sharedKey: false },
  };
}
