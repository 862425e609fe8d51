import { expect, test } from 'vitest';
import { operation, pathParameter, response } from '../../test/operations/operations.ts';
import type { DocumentedResponse } from '../model/contract.ts';
import { probe } from '../probes/probe.ts';
import { LearntValues } from './learnt/learnt-values.ts';
import { inPathOf, requestOf } from './request.ts';

const JSON_TYPE = { mediaType: 'application/json' };
const TARGET = { baseUrl: 'https://api.example/v1', apiKey: '', unknownKey: '', headers: [] };

test.each<[accept: string, responses: DocumentedResponse[]]>([
  ['application/json', [response('200', JSON_TYPE), response('204'), response('400', JSON_TYPE)]],
  ['application/json', [response('204')]],
  [
    'application/json, text/csv, application/problem+json',
    [
      response('200', { ...JSON_TYPE, otherMediaTypes: ['text/csv'] }),
      response('400', { mediaType: 'application/problem+json' }),
    ],
  ],
])('the media types of all responses are accepted, and no others: %s', (accept, responses) => {
  const read = operation({ responses });
  const plain = probe(read, 'plain', 'first', { title: 'a read' });
  const sent = requestOf(plain, read, new LearntValues(undefined, () => 1n), TARGET);
  expect(sent?.headers.filter(([name]) => name === 'accept')).toEqual([['accept', accept]]);
});

test('a value in the path is written as JSON if the document says so, but not the text of a response', () => {
  const read = operation({ path: '/things/{id}', parameters: [pathParameter('id', {}, { isJson: true })] });
  expect(inPathOf(read, 'id', 'a/b')).toBe('%22a%2Fb%22');
  expect(inPathOf(read, 'id', 'a/b', true)).toBe('a%2Fb');
});
