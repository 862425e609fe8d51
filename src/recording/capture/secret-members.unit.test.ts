import { expect, test } from 'vitest';
import {
  contractOf,
  creation,
  operation,
  pathParameter,
  response,
} from '../../../test/operations/operations.ts';
import { loadContract } from '../../contract/load.ts';
import { schemaErrors } from '../../contract/validation/schema-validator.ts';
import type { Contract, Schema } from '../../model/contract.ts';
import type { Recorded } from '../recorded.ts';
import { type Captured, recordingCapture } from './capture.ts';

const bundled = loadContract();

function captured(
  texts: { request?: string; response?: string },
  contract: Contract = bundled,
  path = '/login',
) {
  const recorded: Recorded = {
    method: 'POST',
    url: `https://api.example.com${path}`,
    requestHeaders: [],
    ...(texts.request === undefined ? {} : { requestBody: texts.request }),
    sentAt: 0,
    receivedAt: 1,
    isTimed: true,
    response: { status: 200, headers: [['X-Echo', 'hunter2-of-Bob']], body: texts.response ?? '' },
  };
  return recordingCapture(contract, [])(recorded) as Captured;
}

test.each<[what: string, request: string]>([
  ['a password', '{"user":"bob","password":"hunter2-of-Bob"}'],
  ['a token', '{"token":"hunter2-of-Bob"}'],
  ['an API key', '{"api_key" : "hunter2-of-Bob"}'],
  ['a client secret', '{"a":[{"clientSecret":"hunter2-of-Bob"}]}'],
  ['a list of tokens', '{"tokens":["a","hunter2-of-Bob"]}'],
  ['a name with an escape', '{"p\\u0061ssword":"hunter2-of-Bob"}'],
  ['a value with an escape', '{"password":"hunter2-of-\\u0042ob"}'],
  ['a body that ends too early', '{"password":"hunter2-of-Bob'],
  ['a password beside a form', 'user=bob&password=hunter2-of-Bob'],
  ['a token of OAuth in a form', 'grant_type=refresh_token&refresh_token=hunter2%2Dof%2DBob'],
  ['a password in a form that ends with a line break', 'user=bob&password=hunter2-of-Bob\r\n'],
  ['a password beside JSON in a form', 'filter={"a":1}&password=hunter2-of-Bob'],
])('%s in a body is nowhere in what is captured', (_what, text) => {
  expect(JSON.stringify(captured({ request: text }))).not.toMatch(/hunter2/);
  expect(JSON.stringify(captured({ request: '{}', response: text }).response?.body)).not.toMatch(
    /hunter2|Bob/,
  );
});

test.each([
  '{ "user" : "bob",  "id":9007199254740993, "a":1.0, "a":1.0 }',
  '{"password":null,"token":7,"secret":{"name":"x"},"keys":["a"],"key":"color"}',
  '{"password":""}',
  '{"nextPageToken":"abc","syncToken":"def"}',
  '"password"',
  '["password","hunter"]',
  '{"note":"a \\"password\\":\\"x\\""}',
  '<input name="password=x">',
  'a text about a password=x',
  'user=bob&id=7\n',
  'not JSON {"password":"x"}',
])('%s stays as it is, to the letter', (text) => {
  expect(captured({ request: text, response: text })).toMatchObject({
    requestBody: text,
    response: { body: text },
  });
});

test('everything around a secret stays as it is, and equal secrets stay equal', () => {
  const { requestBody = '', response: answer } = captured({
    request: '{"a":1.0, "password":"hunter2-of-Bob"}',
    response: '{"password":"hunter2-of-Bob" ,"token":"another"}',
  });
  const [, shown] = /^\{"a":1\.0, "password":"(redacted-[\da-f]{8})"\}$/.exec(requestBody) ?? [];
  expect(shown).toBeDefined();
  expect(answer?.body).toMatch(new RegExp(`^\\{"password":"${shown}" ,"token":"redacted-[\\da-f]{8}"\\}$`));
});

const FIELDS: Record<string, Schema> = {
  password: { type: 'string', minLength: 14, maxLength: 14, pattern: '^[a-z]+\\d-[a-z]+-[A-Z][a-z]{2}$' },
  token: { type: 'string', format: 'uuid' },
  session: { type: 'string', enum: ['open', 'closed'] },
  secretCount: { type: 'integer' },
  sessionId: { type: 'string' },
  authSince: { type: 'string', format: 'date-time' },
};
const schema: Schema = { type: 'object', properties: FIELDS };
const own = contractOf([
  creation(schema, {
    path: '/login',
    responses: [response('200', { schema, mediaType: 'application/json' })],
  }),
  operation({ path: '/sessions/{sessionId}', parameters: [pathParameter('sessionId', { type: 'string' })] }),
]);

test('what the interface says of a secret still holds of what replaces it, and what is public stays', () => {
  const body = {
    password: 'hunter2-of-Bob',
    token: '0b9c1c4e-6f2d-4b3a-9d2f-1c2b3a4d5e6f',
    session: 'open',
    sessionId: 's-17-of-Bob',
    authSince: '2026-11-21T12:00:00Z',
  };
  const { requestBody = '' } = captured({ request: JSON.stringify(body) }, own);
  const shown = JSON.parse(requestBody);
  expect(shown).toEqual({ ...body, password: expect.any(String), token: expect.any(String) });
  expect([shown.password, shown.token]).not.toContain(body.password);
  expect(shown.token).not.toBe(body.token);
  expect(schemaErrors(schema, shown)).toEqual([]);
  const short = JSON.parse(captured({ request: '{"password":"short"}' }, own).requestBody ?? '');
  expect(schemaErrors(schema, short).map(({ keyword }) => keyword)).toEqual(['minLength', 'pattern']);
});

test('the interface may say it in the second media type of a response', () => {
  const otherBodies = [{ mediaType: 'application/vnd.x+json', schema, bodyRequirement: 'login.vnd' }];
  const other = contractOf([creation({ type: 'object' }, { responses: [response('200', { otherBodies })] })]);
  const { response: answer } = captured(
    { response: '{"session":"open","password":"hunter2-of-Bob"}' },
    other,
  );
  const shown = JSON.parse(answer?.body ?? '');
  expect(shown).toEqual({ session: 'open', password: expect.not.stringContaining('hunter2') });
  expect(schemaErrors(schema, shown)).toEqual([]);
});

test('what petspec itself sent stays as it is', () => {
  const request = '{"password":"petspec-1"}';
  const sent = { ...captured({ request }), requestHeaders: [], requestBody: request };
  const { sentKey: _, ...recorded } = sent;
  const marks = { id: 1, operation: 'login', key: 'absent', stage: 'first', inFlight: 1 } as const;
  expect(recordingCapture(bundled, [])({ ...recorded, own: marks })?.requestBody).toBe(request);
});

test('a body that is nothing but secrets takes no longer than another', () => {
  const members = Array.from({ length: 50_000 }, (_, index) => `{"token":"secret-number-${index}"}`);
  const { response: answer } = captured({ response: `[${members.join()}]` });
  expect(answer?.body).not.toContain('secret-number');
}, 20_000);
