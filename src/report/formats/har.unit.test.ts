import { expect, test } from 'vitest';
import { answered, failed, handMade } from '../../../test/reports/hand-made-report.ts';
import { harProblems } from '../../../test/reports/parsers.ts';
import { renderHar } from './har.ts';

test('entries look like those of browsers', () => {
  const har = JSON.parse([...renderHar(handMade, () => [answered, failed])].join(''));
  expect(harProblems(har)).toEqual([]);
  expect(har.log).toMatchObject({ version: '1.2', creator: { name: 'petspec', version: '0.1.0' } });
  const [first, second] = har.log.entries;
  expect(first).toMatchObject({
    startedDateTime: '2026-11-21T10:00:00.250Z',
    time: 50,
    request: {
      method: 'GET',
      url: 'https://staging.example.com/v1/pets?status=sold&limit=2',
      queryString: [
        { name: 'status', value: 'sold' },
        { name: 'limit', value: '2' },
      ],
    },
    response: {
      status: 200,
      content: { size: 45, mimeType: 'application/json', text: '[{"id":9007199254740993,"name":"Мурка"}]' },
    },
    _probe: 'listPets:plain',
  });
  expect(second).toMatchObject({
    request: {
      postData: { mimeType: 'application/json', text: '{"name":"Zoë","categoryId":1}' },
      bodySize: 30,
    },
    response: { status: 0 },
    _error: 'reset: the connection was reset',
  });
  const names = new Set(har.log.entries.flatMap(Object.keys));
  const known = ['startedDateTime', 'time', 'request', 'response', 'cache', 'timings'];
  for (const name of names) expect(known.includes(String(name)) || String(name).startsWith('_')).toBe(true);
});

test('a run without exchanges is a valid HAR', () => {
  expect(harProblems(JSON.parse([...renderHar(handMade, () => [])].join('')))).toEqual([]);
});

test('exchanges are read one at a time', () => {
  let asked = 0;
  function* many() {
    for (; asked < 1_000; asked += 1) yield answered;
  }
  const pieces = renderHar(handMade, many);
  pieces.next();
  pieces.next();
  expect(asked).toBeLessThan(2);
});
