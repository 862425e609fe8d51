import { expect, test } from 'vitest';
import { contractOf, operation, response } from '../../test/operations/operations.ts';
import { tinyContract } from '../../test/tiny-interface/contract.ts';
import { wordsOf } from './hideable.ts';

test('the words of an interface are its names, media types and allowed values, in lower case', () => {
  expect([...wordsOf(tinyContract())].sort()).toEqual(
    ['application/json', 'north', 'number', 'pages', 'reason', 'shelf', 'south', 'title'].sort(),
  );
});

test('the words of each media type of a response count', () => {
  const schema = { type: 'object', properties: { Size: { type: 'string', enum: ['Large'] } } };
  const other = { mediaType: 'application/vnd.x+json', schema, bodyRequirement: 'list.vnd' };
  const both = response('200', {
    mediaType: 'application/json',
    otherMediaTypes: [other.mediaType],
    otherBodies: [other],
  });
  expect([...wordsOf(contractOf([operation({ responses: [both] })]))].sort()).toEqual(
    ['application/json', 'application/vnd.x+json', 'large', 'size'].sort(),
  );
});
