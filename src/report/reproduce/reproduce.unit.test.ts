import { expect, test } from 'vitest';
import { BASE, changed, creation, list, read, refusal, scriptOf } from '../../../test/reproduce/scripts.ts';
import type { Exchange } from '../../model/exchange.ts';

test('a single read is a single command without a warning', () => {
  expect(scriptOf([list])).toEqual({
    script: `curl -i -H "Authorization: Bearer $PETSPEC_API_KEY" '${BASE}/pets'`,
  });
});

test('the key is taken from the variable of the user', () => {
  const settings = { keyVariable: 'STAGING_API_KEY' };
  for (const exchange of [list, creation, refusal]) {
    const { script } = scriptOf([exchange], { settings });
    expect(script).toContain('Bearer $STAGING_API_KEY"');
    expect(script).not.toContain('PETSPEC_API_KEY');
  }
});

test('every command skips certificate verification if the run did', () => {
  const { script } = scriptOf([list, creation, read], { settings: { isInsecure: true } });
  expect(script.match(/curl /g)).toHaveLength(2);
  expect(script.match(/ --insecure /g)).toHaveLength(2);
});

test('a command that creates warns of it, and sends another name each time', () => {
  const { script, warning } = scriptOf([list, creation]);
  expect(warning).toBe('adds a record');
  expect(script).not.toContain('\n');
  expect(script).toContain(`'{"name":"Rex-'"$RANDOM$RANDOM"'","categoryId":1}'`);
});

test('a refused creation has a warning, too', () => {
  const refused = changed(creation, { response: { status: 422, headers: [], body: '{}' } });
  expect(scriptOf([list, refused]).warning).toBe('adds a record if the service accepts it');
});

test('a created record is created again, and fetched by its new id', () => {
  const { script, warning } = scriptOf([list, creation, read]);
  expect(warning).toBe('adds a record');
  expect(script).not.toContain('9007199254740993');
  expect(script).toMatch(/ 'https:\/\/staging\.example\.com\/v1\/pets\/'"\$id"$/);
});

/** An addition that sends an id, besides the name of the one before. */
const withIds = (ids: string) =>
  changed(creation, {
    id: 3,
    probe: 'createPet:unknown-field',
    requestBody: `{"id":9007199254740993,"name":"Rex-bcdfghjk","categoryId":1,"petspecUnknown":${ids}}`,
  });

test('an addition that sends the id of another record creates that one again, and sends its new id', () => {
  const { script, warning } = scriptOf([creation, withIds('1')]);
  expect(warning).toBe('adds up to 2 records');
  expect(script).toMatch(/^id=\$\(.*&&\n.*\{"id":'"\$id"',"name":"Rex-'"\$unique"'","categoryId":1,/m);
  expect(script).not.toContain('9007199254740993');
});

test('an id that the body of an addition has twice stays as it was sent', () => {
  const { script } = scriptOf([creation, withIds('9007199254740993')]);
  expect(script.split('9007199254740993')).toHaveLength(3);
  expect(script).not.toContain('$id');
});

test('an id of a record that the service refused to add is not asked for', () => {
  const refused = changed(creation, { response: { status: 422, headers: [], body: '{}' } });
  expect(scriptOf([refused, withIds('1')]).script).toContain('"id":9007199254740993,');
});

test('a header of the user is a variable that the user sets', () => {
  const own: Exchange['requestHeaders'] = [...list.requestHeaders, ['x-gateway', '[hidden]']];
  const [first, second] = scriptOf([changed(list, { requestHeaders: own })]).script.split('\n');
  expect(first).toBe('# set HEADER_X_GATEWAY first: petspec does not store the values of your own headers');
  expect(second).toContain(`-H 'x-gateway: '"$HEADER_X_GATEWAY"`);
  expect(second).not.toContain('[hidden]');
});

test('a HEAD request uses --head, because curl would wait for a body', () => {
  const { script } = scriptOf([changed(list, { method: 'HEAD' })]);
  expect(script).toMatch(/^curl --head -H/);
  expect(script).not.toContain('-X');
});

test('a request without a response has a timeout', () => {
  const { response: _, ...silent } = list;
  const failure = { kind: 'timeout', phase: 'headers', message: 'nothing came' } as const;
  expect(scriptOf([{ ...silent, receivedAt: 9_400, failure }]).script).toContain('-i --max-time 10 ');
});

test('the limit is used up with a warning, and only until the first 429', () => {
  const { script, warning } = scriptOf([list, refusal]);
  expect(warning).toMatch(/^uses up the rate limit of the key with up to \d+ requests$/);
  expect(script).toMatch(/ 429' <<<"\$response" && break$/m);
});

test('an absurd limit is not believed', () => {
  const absurd = changed(refusal, { id: 1, rate: { limit: 999_999_999_999_999 } });
  expect(scriptOf([absurd], { plan: null }).warning).toMatch(/up to 10002 requests$/);
});

test('a refused creation is not repeated if another request of the operation changes nothing', () => {
  const invalid = changed(creation, {
    id: 3,
    probe: 'createPet:name-missing',
    requestBody: '{"categoryId":1}',
    response: { status: 400, headers: [], body: '{}' },
  });
  const refused = changed(creation, { id: 4, response: { status: 429, headers: [], body: '{}' } });
  const { script } = scriptOf([list, invalid, refused]);
  expect(script).toContain(`--data-raw '{"categoryId":1}'`);
  expect(script).not.toContain('Rex');
});

test('an invalid address gives no script', () => {
  expect(() => scriptOf([changed(list, { url: '-o/etc/passwd' })])).toThrow('there is no script');
});
