import { expect, test } from 'vitest';
import type { Change } from '../../src/reference/index.ts';
import type { Ask, Reply, Running } from './running-reference.ts';
import { running } from './running-reference.ts';

/** A fault or a variant of the reference. */
type NamedChange = Change & { id: string };

/** What is seen of a reference: without a change it is `usual`, with it `shown`. */
export interface ChangeCase {
  id: string;
  ask: (client: Running) => Promise<unknown>;
  usual: unknown;
  shown: unknown;
}

/** Each change shows in its case. No change is without a case. */
export function testChanges(changes: readonly NamedChange[], cases: readonly ChangeCase[]): void {
  test('every change has a case', () => {
    expect(cases.map(({ id }) => id).sort()).toEqual(changes.map(({ id }) => id).sort());
  });
  test.each(cases)('$id', async ({ id, ask, usual, shown }) => {
    const change = changes.find((each) => each.id === id);
    if (!change) throw new Error(`no change '${id}'`);
    await running({}, async (client) => expect(await ask(client)).toEqual(usual));
    await running({ changes: [change] }, async (client) => expect(await ask(client)).toEqual(shown));
  });
}

/** The request that adds an animal. */
export const adding = (body: string | object): Ask => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** The request that sends a message. */
export const messaging: Ask = { ...adding({ message: 'hello' }), messages: true };

export const statusOf = ({ status }: Reply): number => status;

/** What petspec sends with every request. */
export const PLAIN = { 'user-agent': 'petspec/0.3.0', accept: 'application/json' };

/** What one request shows that is unusual in one way. */
export const unusual = (
  id: string,
  path: string,
  request: Ask,
  [usual, shown]: readonly [unknown, unknown],
  look: (reply: Reply) => unknown = statusOf,
): ChangeCase => ({
  id,
  ask: async ({ ask }) => look(await ask(path, { ...request, headers: { ...PLAIN, ...request.headers } })),
  usual,
  shown,
});

/** What the last of several requests shows, all over one connection. */
export const last = (
  id: string,
  steps: readonly (readonly [path: string, ask?: Ask])[],
  look: (reply: Reply) => unknown,
  [usual, shown]: readonly [unknown, unknown],
): ChangeCase => ({
  id,
  ask: async ({ connect }) => {
    const ask = connect();
    const replies: Reply[] = [];
    for (const step of steps) replies.push(await ask(...step));
    const reply = replies.at(-1);
    return reply && look(reply);
  },
  usual,
  shown,
});

/** The status of the addition of each name. */
export const named = (
  id: string,
  names: readonly string[],
  usual: number[],
  shown: number[],
): ChangeCase => ({
  id,
  ask: async ({ ask }) => {
    const statuses: number[] = [];
    for (const name of names) statuses.push((await ask('/pets', adding({ name, categoryId: 1 }))).status);
    return statuses;
  },
  usual,
  shown,
});
