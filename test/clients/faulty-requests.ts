import { clientWith, type FaultyClient, type Habits } from './client.ts';

/** A client with one habit replaced. */
function faulty(id: string, summary: string, violates: string, habits: Partial<Habits>): FaultyClient {
  return { id, summary, violates: [`client.${violates}`], use: clientWith(habits) };
}

const limit = (id: string, value: string) =>
  faulty(`limit-${id}`, `asks for limit=${value}`, 'listPets.limit', { query: `?limit=${value}` });

const listStatus = (id: string, value: string) =>
  faulty(`status-${id}`, `asks for status=${value}`, 'listPets.status', { query: `?status=${value}` });

const addition = (id: string, field: string, write: (categoryId: string) => string) =>
  faulty(`adds-${id}`, `adds ${write('7')}`, `NewPet.${field}`, { addition: write });

const additionBody = (id: string, summary: string, body: string | undefined, type = 'application/json') =>
  faulty(`adds-${id}`, summary, 'createPet.body', { addition: () => body, additionType: type });

/** Clients whose requests are not those of the interface. */
export const faultyRequests: readonly FaultyClient[] = [
  limit('0', '0'),
  limit('1000', '1000'),
  limit('all', 'all'),
  limit('negative', '-1'),
  limit('empty', ''),
  listStatus('upper', 'AVAILABLE'),
  listStatus('empty', ''),
  listStatus('two', 'available,sold'),
  addition('no-name', 'name', (id) => `{"categoryId":${id}}`),
  addition('number-name', 'name', (id) => `{"name":7,"categoryId":${id}}`),
  addition('no-category', 'categoryId', () => '{"name":"Rex"}'),
  addition('text-category', 'categoryId', (id) => `{"name":"Rex","categoryId":"${id}"}`),
  addition('fraction-category', 'categoryId', () => '{"name":"Rex","categoryId":1.5}'),
  addition('null-status', 'status', (id) => `{"name":"Rex","categoryId":${id},"status":null}`),
  addition('other-status', 'status', (id) => `{"name":"Rex","categoryId":${id},"status":"lost"}`),
  additionBody('form', 'adds with a form', 'name=Rex&categoryId=1', 'application/x-www-form-urlencoded'),
  additionBody(
    'undeclared',
    'declares JSON as text',
    '{"name":"Rex","categoryId":1}',
    'text/plain;charset=UTF-8',
  ),
  additionBody('nothing', 'adds without a body', undefined),
  additionBody('list', 'adds a list of animals', '[{"name":"Rex","categoryId":1}]'),
  additionBody('quotes', 'writes JSON with single quotes', "{'name':'Rex','categoryId':1}"),
  faulty('message-text', 'names the field of a message text', 'NewMessage.message', {
    message: '{"text":"hello"}',
  }),
  faulty('message-object', 'sends an object as the message', 'NewMessage.message', {
    message: '{"message":{"text":"hello"}}',
  }),
  faulty('message-plain', 'sends a message as plain text', 'sendMessage.body', {
    message: 'hello',
    messageType: 'text/plain',
  }),
  faulty('ids-as-doubles', 'reads ids as floating-point numbers', 'ids', {
    addition: (categoryId) => JSON.stringify({ name: 'Rex', categoryId: Number(categoryId) }),
  }),
  faulty('version-missing', 'leaves out the version', 'address', {
    url: (service, address, path) => service[address].replace(/\/v1$/, '') + path,
  }),
  faulty('version-twice', 'has the version twice', 'address', {
    url: (service, address, path) => `${service[address]}${address === 'baseUrl' ? '/v1' : ''}${path}`,
  }),
  faulty('messages-to-base', 'sends messages to the base address', 'address', {
    url: (service, _address, path) => service.baseUrl + path,
  }),
  faulty('fetches-one', 'fetches an animal by its id', 'deprecated', {
    also: (service, send, list) => send(`${service.baseUrl}/pets/${/"id":(\d+)/.exec(list)?.[1] ?? '1'}`),
  }),
  {
    ...faulty('fetches-undefined', 'fetches the animal undefined', 'getPet.petId', {
      also: (service, send) => send(`${service.baseUrl}/pets/undefined`),
    }),
    violates: ['client.getPet.petId', 'client.deprecated'],
    because: 'only a deprecated operation has the parameter',
  },
];
