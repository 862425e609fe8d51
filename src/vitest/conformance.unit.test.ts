import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from '../../test/exchanges/answers.ts';
import { KEY as BOOKSHOP_KEY, DOCUMENT, startBookshop } from '../../test/own-interface/bookshop.ts';
import { startNaive } from '../../test/services/naive-services.ts';
import { loadContract } from '../contract/load.ts';
import { type Reference, type ReferenceOptions, startReference, VirtualClock } from '../index.ts';
import { faults } from '../reference/faults/index.ts';
import { type ConformanceOptions, conformance } from './index.ts';

const KEY = 'a-key-of-a-vendor';

const vendor = vi.hoisted(() => ({ vitest: {} }));
vi.mock('./running.ts', () => ({ requireVitest: () => vendor.vitest, runningVitest: () => undefined }));

// Whole runs: in a moment, but not on a machine that has much else to do.
vi.setConfig({ testTimeout: 30_000 });

type Outcome = { state: 'passed' | 'failed' | 'skipped'; text: string };

/** What a vendor's vitest does with the registered tests: hooks first, then every test; `sections` are the describes. */
async function registered(options: ConformanceOptions) {
  const hooks: (() => Promise<void>)[] = [];
  const tests: { name: string; body: (context: object) => unknown }[] = [];
  const sections: string[] = [];
  const described: Promise<void>[] = [];
  vendor.vitest = {
    beforeAll: (hook: () => Promise<void>) => hooks.push(hook),
    describe(name: string, body: () => void | Promise<void>) {
      sections.push(name);
      described.push(Promise.resolve(body()));
    },
    test: (name: string, body: (context: object) => unknown) => tests.push({ name, body }),
    vi,
  };
  conformance(options);
  await Promise.all(described);
  for (const hook of hooks) await hook();
  const outcomes = new Map<string, Outcome>();
  for (const { name, body } of tests) {
    const id = name.slice(0, name.indexOf(':'));
    let outcome: Outcome = { state: 'passed', text: '' };
    const skip = (text: string) => {
      outcome = { state: 'skipped', text };
    };
    try {
      await body({ skip });
    } catch (error) {
      outcome = { state: 'failed', text: error instanceof Error ? error.message : String(error) };
    }
    outcomes.set(id, outcome);
  }
  const of = (state: Outcome['state']) => [...outcomes].filter(([, each]) => each.state === state);
  return { sections, names: tests.map(({ name }) => name), outcomes, of };
}

test('a service is judged by its own document', async () => {
  const { baseUrl } = await startBookshop();
  const options = { target: baseUrl, apiKey: BOOKSHOP_KEY, interface: DOCUMENT };
  const { sections, names, of } = await registered(options);
  expect(sections).toContain('GET /books');
  expect(names.some((each) => each.startsWith('getBook.200: '))).toBe(true);
  expect(of('failed')).toEqual([]);
  expect(of('passed').length).toBeGreaterThan(10);
});

/** A vendor's app whose time is the run's: no minute is waited for. */
function app(options: Partial<ReferenceOptions> = {}) {
  const clock = new VirtualClock(Date.parse('2026-11-21T12:00:20Z'));
  return { clock, target: () => startReference({ clock, apiKey: KEY, ...options }) };
}

function faulty(id: string) {
  const changes = faults.filter((each) => each.id === id);
  expect(changes).toHaveLength(1);
  return app({ changes });
}

describe('a conformant app', () => {
  test('passes: a test for each requirement, in a describe for each section', async () => {
    const { sections, names, of } = await registered(app());
    const { requirements } = loadContract();
    expect(of('failed')).toEqual([]);
    const judged = requirements.filter(({ level }) => level !== 'open').map(({ id }) => id);
    expect(of('passed').map(([id]) => id)).toEqual(expect.arrayContaining(judged));
    expect(of('passed')).toHaveLength(judged.length);
    expect(names.sort()).toEqual(requirements.map(({ id, statement }) => `${id}: ${statement}`).sort());
    expect(sections.slice(1).sort()).toEqual([...new Set(requirements.map(({ section }) => section))].sort());
  });

  test('is started once, and closed once the run is over', async () => {
    const { clock, target } = app();
    const calls: string[] = [];
    await registered({
      clock,
      target: async () => {
        const reference = await target();
        calls.push('started');
        return {
          ...reference,
          close: undefined,
          stop: () => reference.close().then(() => calls.push('stopped')),
        };
      },
    });
    expect(calls).toEqual(['started', 'stopped']);
  });

  test('may be an address, with the key of the environment', async () => {
    const { clock, target } = app();
    const reference: Reference = await target();
    onTestFinished(() => reference.close());
    onTestFinished(() => void delete process.env.PETSPEC_API_KEY);
    process.env.PETSPEC_API_KEY = `${KEY}\n`;
    const only = ['listPets.*', 'sendMessage.*'];
    const { of } = await registered({
      clock,
      target: new URL(`${reference.baseUrl}/`),
      apiUrl: undefined,
      only,
    });
    expect(of('failed')).toEqual([]);
    expect(of('skipped').map(([id]) => id)).toContain('sendMessage.2XX');
    const addresses = { baseUrl: reference.baseUrl, apiUrl: new URL(reference.apiUrl) };
    const asked = await registered({ clock, target: addresses, only });
    expect(asked.of('skipped').filter(([id]) => !id.startsWith('open.'))).toEqual([]);
    expect(of('passed').length).toBeGreaterThan(10);
  });
});

describe('what is violated', () => {
  test('fails its test, with what the terminal shows', async () => {
    const { outcomes, of } = await registered(faulty('list-default-25'));
    expect(of('failed').map(([id]) => id)).toEqual(['listPets.limit.default']);
    const text = outcomes.get('listPets.limit.default')?.text ?? '';
    expect(text).toContain('Without limit, the default page size applies.');
    expect(text).toMatch(/expected +at most 20 animals/);
    expect(text).toMatch(/received +25 animals/);
    expect(text).toMatch(/curl -i .*\$PETSPEC_API_KEY.*\/v1\/pets/);
    expect(text).not.toContain(KEY);
  });

  test('fails with the root cause, where every operation fails alike', async () => {
    const { apiUrl: origin, close } = await startNaive({
      answer: (_, response) => page(response.setHeader('RateLimit-Limit', 9), 503, '<h1>Down</h1>'),
    });
    onTestFinished(close);
    const { of } = await registered({ target: `${origin}/v1`, apiKey: KEY, exhaust: 'none' });
    expect(of('failed').length).toBeGreaterThan(2);
    for (const [, { text }] of of('failed'))
      expect(text).toMatch(/\nroot cause: every operation returned 503 text\/html$/);
  });

  test('skips what the violation keeps from being judged, and names the violation', async () => {
    const { of } = await registered(faulty('create-200'));
    expect(of('failed').map(([id]) => id)).toEqual(['createPet.201']);
    const blocked = of('skipped').filter(([id]) => !id.startsWith('open.'));
    expect(blocked.length).toBeGreaterThan(0);
    for (const [, { text }] of blocked) expect(text).toContain('follows from createPet.201');
  });

  test('fails where it is advice, only if that is asked for', async () => {
    const advised = 'fetch-sunset-iso';
    expect((await registered(faulty(advised))).of('failed')).toEqual([]);
    expect((await registered({ ...faulty(advised), strict: true })).of('failed')).toHaveLength(1);
  });
});

test('what the interface leaves open is skipped, with what was observed', async () => {
  const { outcomes } = await registered({ ...app(), only: ['open.*', 'listPets.200'], exhaust: 'none' });
  expect(outcomes.get('listPets.200')).toEqual({ state: 'passed', text: '' });
  expect(outcomes.get('open.ordering')).toEqual({
    state: 'skipped',
    text: 'left open by the interface: by id, ascending',
  });
  const open = [...outcomes].filter(([id]) => id.startsWith('open.'));
  expect(open.filter(([, { state }]) => state !== 'skipped')).toEqual([]);
});

describe('what is not tested', () => {
  test('fails the suite where it is all that binds the service, whoever left it out', async () => {
    const open = registered({ ...app(), only: ['open.*'] });
    await expect(open).rejects.toThrow(/^incomplete: no requirement of level must was judged.* --only/);
    const limit = registered({ ...app(), only: ['TooManyRequests'], exhaust: 'none' });
    await expect(limit).rejects.toThrow(
      /^incomplete: no requirement of level must was judged.* --no-exhaust/,
    );
  });

  test('is skipped where the vendor left it out, and says so', async () => {
    const { of } = await registered({ ...app(), readOnly: true, exhaust: 'none' });
    expect(of('failed')).toEqual([]);
    const skipped = Object.fromEntries(of('skipped').map(([id, { text }]) => [id, text]));
    expect(skipped['createPet.201']).toBe('left out: --read-only');
    expect(skipped.TooManyRequests).toBe('left out: --no-exhaust');
  });

  test('fails where nobody left it out: a wait that is too long', async () => {
    const { outcomes } = await registered({ ...app(), maxWait: 1 });
    expect(outcomes.get('rate-limit.recovery')).toMatchObject({ state: 'failed' });
    expect(outcomes.get('rate-limit.recovery')?.text).toMatch(/^not tested: .*wait/);
  });

  test('fails the suite at once where nothing listens', async () => {
    const suite = registered({ target: 'http://127.0.0.1:1/v1', apiKey: KEY });
    await expect(suite).rejects.toThrow(/^incomplete: .*nothing listens there/);
  });
});

test.each([
  [{ target: async () => ({}) as never }, /^'target' is not valid/],
  [{ target: 'staging' }, /^'baseUrl': 'staging' is not an http or https URL; expected one like https:/],
  [{ ...app(), headers: { a: 'b' } as never }, /^'headers' is not valid; expected names with values/],
  [{ ...app(), timeout: -1 }, /^'timeout' is not valid; expected a positive integer$/],
  [{ ...app(), only: ['nothing'] }, /'nothing' in 'only'/],
  [{ ...app(), only: 'listPets.*' as never }, /^'only' is not valid; expected a list, such as \['listPets/],
  [{ ...app(), onyl: ['listPets.*'] }, /^unknown setting 'onyl'; did you mean 'only'\?$/],
])('wrong usage is one clear line (%#)', async (options, message) => {
  await expect(registered({ apiKey: KEY, ...options })).rejects.toThrow(message);
});

test('with timers that are faked nothing is begun: it would never end', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const target = vi.fn();
  await expect(registered({ target })).rejects.toThrow('vi.useRealTimers() first');
  expect(target).not.toHaveBeenCalled();
});
