import { expect, test, vi } from 'vitest';
import { clientWith } from '../../test/clients/client.ts';
import { expectClient } from './client.ts';

test('a conformant client: its report', async () => {
  const report = await expectClient(clientWith()).toConform({ scenarios: ['plain', 'large-ids'] });
  expect(report).toMatchObject({ verdict: 'conformant', target: { baseUrl: 'the client' } });
  expect(report.client?.scenarios.map(({ id }) => id)).toEqual(['plain', 'large-ids']);
});

test('a faulty client: its findings', async () => {
  const faulty = expectClient(clientWith({ query: '?limit=0' }));
  await expect(faulty.toConform({ scenarios: ['plain'] })).rejects.toThrow(
    /client\.listPets\.limit[\s\S]*limit=0/,
  );
  await faulty.toConform({ scenarios: ['plain'], only: ['client.key.*'] });
});

test('a client that takes no argument finds the service in its environment, and nothing is left there', async () => {
  const before = { ...process.env };
  const listing = async () => {
    const { PETSPEC_BASE_URL, PETSPEC_API_KEY } = process.env;
    await fetch(`${PETSPEC_BASE_URL}/pets`, { headers: { authorization: `Bearer ${PETSPEC_API_KEY}` } });
  };
  const report = await expectClient(listing).toConform({ scenarios: ['plain', 'extra-fields'] });
  expect(report.requests.total).toBe(2);
  expect(process.env).toEqual(before);
});

test("clients at the same time each find their own service, and leave the user's variables as they were", async () => {
  process.env.PETSPEC_API_KEY = 'the-key-of-the-user';
  const keys: string[] = [];
  const listing = async () => {
    for (let count = 0; count < 2; count += 1) {
      const { PETSPEC_BASE_URL, PETSPEC_API_KEY = '' } = process.env;
      keys.push(PETSPEC_API_KEY);
      const headers = { authorization: `Bearer ${PETSPEC_API_KEY}` };
      await (await fetch(`${PETSPEC_BASE_URL}/pets`, { headers })).text();
    }
  };
  try {
    const failing = expectClient(clientWith({ query: '?limit=0' })).toConform({ scenarios: ['plain'] });
    const reports = ['plain', 'extra-fields', 'large-ids'].map((scenario) =>
      expectClient(listing).toConform({ scenarios: [scenario] }),
    );
    await expect(failing).rejects.toThrow('limit=0');
    const totals = (await Promise.all(reports)).map(({ requests }) => requests.total);
    expect(totals).toEqual([2, 2, 2]);
    expect(new Set(keys).size).toBe(3);
    expect(keys).not.toContain('the-key-of-the-user');
    expect(process.env.PETSPEC_API_KEY).toBe('the-key-of-the-user');
  } finally {
    delete process.env.PETSPEC_API_KEY;
  }
});

test('a client that sends nothing, never returns or throws', async () => {
  const silent = expectClient(() => {}).toConform({ scenarios: ['plain'] });
  await expect(silent).rejects.toThrow('the client is incomplete: the client sent no request');
  const endless = expectClient(() => new Promise(() => {})).toConform({ scenarios: ['plain'], timeout: 50 });
  await expect(endless).rejects.toThrow('the client is incomplete');
  const throwing = expectClient(async (service) => {
    await clientWith()(service);
    throw new Error(`no ${service.apiKey}`);
  });
  const { client } = await throwing.toConform({ scenarios: ['plain'] });
  expect(client?.scenarios[0]?.end).toBe('it threw: no [key]');
});

test('a client that does not conform: the error says how it failed, in which scenario', async () => {
  const failing = expectClient(() => {
    throw new Error('no \u001b[31maddress');
  });
  await expect(failing.toConform({ scenarios: ['plain', 'large-ids'] })).rejects.toThrow(
    /^the client is incomplete: the client sent no request to the reference; give it the addresses and the key, which are the argument of the function\n\nplain: it threw: no \\u001b\[31maddress\nlarge-ids: it threw: no /,
  );
  const endless = expectClient(() => new Promise(() => {})).toConform({ scenarios: ['plain'], timeout: 50 });
  await expect(endless).rejects.toThrow(/\n\nplain: it was ended after the time limit$/);
  await expect(expectClient(() => {}).toConform({ scenarios: ['plain'] })).rejects.toThrow(
    /of the function$/,
  );
});

test('what is not a function is no client', () => {
  expect(() => expectClient('curl' as never)).toThrow(
    /^expectClient: not a function; expected one that calls your client$/,
  );
});

test('an empty list of scenarios is one clear line', async () => {
  await expect(expectClient(() => {}).toConform({ scenarios: [] })).rejects.toThrow(
    /^'scenarios': the list is empty; leave it out to run all of them/,
  );
});

test('an unknown scenario is one clear line', async () => {
  await expect(expectClient(() => {}).toConform({ scenarios: ['plane'] })).rejects.toThrow(
    /^'scenarios': unknown scenario 'plane'; did you mean 'plain'/,
  );
});

test.each([
  [{ scenarios: 'plain' }, /^'scenarios' is not valid; expected a list, such as \['plain'\]$/],
  [{ timeout: 0 }, /^'timeout' is not valid; expected a positive integer$/],
  [{ only: 'Authorization' }, /^'only' is not valid; expected a list/],
  [{ strict: 1 }, /^'strict' is not valid; expected true or false$/],
  [
    { only: ['lists'] },
    /^unknown requirement, .* 'lists' in 'only'; petspec requirements --clients lists them/,
  ],
  [null, /^expected an object with settings, such as { scenarios, only, strict }$/],
  [{ baseUrl: 'http://a.test' }, /^unknown setting 'baseUrl'/],
])('a wrong option is one clear line: %o', async (options, words) => {
  const use = vi.fn();
  await expect(expectClient(use).toConform(options as never)).rejects.toThrow(words);
  expect(use).not.toHaveBeenCalled();
});
