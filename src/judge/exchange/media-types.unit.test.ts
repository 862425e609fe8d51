import { describe, expect, test } from 'vitest';
import { judge, PET } from '../../../test/exchanges/pet-response.ts';
import type { HeaderLine, Received } from '../../model/exchange.ts';
import type { DocumentedBody } from './body.ts';

describe('a range of media types', () => {
  const of = (mediaType: string) => ({ ...PET, mediaType });
  const as = (type: string, body: string): Partial<Received> => ({ headers: [['Content-Type', type]], body });
  const wrongIn = (mediaType: string, change: Partial<Received>) =>
    judge(change, of(mediaType)).deviations.map(({ requirement }) => requirement);

  test.each<[mediaType: string, type: string, body: string, wrong: string[]]>([
    ['*/*', 'application/json', '{"id":1}', []],
    ['*/*', 'application/json', '{"id":"1"}', ['Pet.id']],
    ['*/*', 'application/json; charset=utf-8', '{', ['service.json']],
    ['*/*', 'application/problem+json', '{}', ['Pet.id']],
    ['*/*', 'text/html', '<p>', []],
    ['application/*', 'application/json', '{}', ['Pet.id']],
    ['application/*', 'application/xml', '<p>', []],
    ['application/*', 'text/html', '<p>', ['service.content-type']],
    ['image/*', 'image/png', 'x', []],
    ['image/*', 'text/html', '<p>', ['service.content-type']],
  ])('%s allows what is declared as %s and is %s', (mediaType, type, body, wrong) => {
    expect(wrongIn(mediaType, as(type, body))).toEqual(wrong);
  });

  test('says nothing of a body that is not declared', () => {
    expect(wrongIn('*/*', { headers: [], body: '<p>' })).toEqual([]);
  });

  test('says nothing of a body that is declared as JSON and as something else', () => {
    const both: HeaderLine[] = [
      ['Content-Type', 'application/json'],
      ['Content-Type', 'text/html'],
    ];
    expect(wrongIn('*/*', { headers: both, body: '<p>' })).toEqual([]);
  });
});

describe('one of several media types', () => {
  const other = (mediaType: string, bodyRequirement: string) => ({
    mediaType,
    bodyRequirement,
    schema: { type: 'object', required: [bodyRequirement] },
  });
  const several = (
    preferred: string,
    ...others: [mediaType: string, requirement: string][]
  ): DocumentedBody => ({
    ...PET,
    mediaType: preferred,
    otherMediaTypes: others.map(([mediaType]) => mediaType),
    otherBodies: others.map(([mediaType, requirement]) => other(mediaType, requirement)),
  });
  /** What the body lacks tells by which schema it was judged. */
  const lacksIn = (type: string, documented: DocumentedBody) =>
    judge({ headers: [['Content-Type', type]], body: '{}' }, documented).deviations.map(
      ({ expected }) => /"?(id|V\d)"?/.exec(expected)?.[1],
    );

  test.each<[type: string, lacks: (string | undefined)[]]>([
    ['application/json', ['id']],
    ['application/json; v=1', ['V1']],
    ['application/json; v=1; x=2', ['V1']],
    ['application/json; x=2; v=1; w=3', ['V2']],
    ['application/vnd.pet+json', ['V3']],
    ['application/vnd.cat+json', ['V4']],
  ])('%s is the most specific one that it fits', (type, lacks) => {
    const documented = several(
      'application/json',
      ['application/json; v=1', 'V1'],
      ['application/json; v=1; w=3', 'V2'],
      ['application/vnd.pet+json', 'V3'],
      ['application/*', 'V4'],
    );
    expect(lacksIn(type, documented)).toEqual(lacks);
  });

  test('none is if nothing says which', () => {
    const documented = several('application/json; v=1', ['application/json; v=2', 'V2']);
    expect(lacksIn('application/json', documented)).toEqual([]);
    expect(lacksIn('application/json; v=2; v=1', documented)).toEqual([]);
  });

  test('the value of another one is not what other requirements are about', () => {
    const documented = several('application/json', ['application/vnd.pet+json', 'V3']);
    const readAs = (type: string, body: string) =>
      judge({ headers: [['Content-Type', type]], body }, documented).value;
    expect(readAs('application/json', '{"id":1}')).toEqual({ id: 1 });
    expect(readAs('text/html', '{"id":1}')).toEqual({ id: 1 });
    expect(readAs('application/vnd.pet+json', '{"V3":1}')).toBeUndefined();
  });

  test('the only one is, whatever its parameters', () => {
    expect(lacksIn('application/json', several('text/csv', ['application/json; v=2', 'V2']))).toEqual(['V2']);
  });
});

describe('a text', () => {
  const WORD = {
    mediaType: 'text/plain',
    schema: { type: 'string', pattern: '^[a-z]{2}$' },
    bodyRequirement: 'Word',
  } as const;
  const { bodyRequirement: _, ...nobodys } = WORD;
  const { schema: __, ...shapeless } = WORD;
  const met = (body: string, documented: DocumentedBody = WORD, type = 'text/plain; charset=utf-8') =>
    judge({ body, headers: [['Content-Type', type]] }, documented);

  test('has its media type, and its shape', () => {
    expect(met('ab')).toEqual({ met: ['service.content-type', 'Word'], deviations: [], hidden: [] });
    expect(met('abc')).toMatchObject({
      met: ['service.content-type'],
      deviations: [{ requirement: 'Word' }],
    });
    expect(met('')).toMatchObject({ met: [], deviations: [{ requirement: 'Word' }] });
  });

  test('may have to end with a line break', () => {
    const line = { ...WORD, schema: { type: 'string', pattern: '^[a-z]{2}\\n$' } } as const;
    expect(met('ab\n', line)).toEqual({ met: ['service.content-type', 'Word'], deviations: [], hidden: [] });
    expect(met('ab', line)).toMatchObject({ deviations: [{ requirement: 'Word' }] });
  });

  test('has no shape where none is documented', () => {
    for (const documented of [nobodys, shapeless])
      for (const body of ['abc', ''])
        expect(met(body, documented)).toEqual({
          met: body === '' ? [] : ['service.content-type'],
          deviations: [],
          hidden: [],
        });
  });

  test('of another media type has no shape, either', () => {
    expect(met('abc', WORD, 'text/html')).toMatchObject({
      met: [],
      deviations: [{ requirement: 'service.content-type' }],
      hidden: [],
    });
  });
});

test.each<[range: string, type: string, isDeclared: boolean]>([
  ['text/*', 'text/plain', true],
  ['text/*', 'text/csv; header=present', true],
  ['text/*', 'application/text', false],
  ['text/*', 'textual/plain', false],
  ['*/*', 'application/octet-stream', true],
  ['application/problem+json', 'application/problem+json', true],
  ['application/problem+json', 'application/problem', false],
  ['application/problem+json', 'application/problem+json-seq', false],
])('a body of several types, one of them %s, that is declared as %s', (range, type, isDeclared) => {
  const documented = { ...PET, otherMediaTypes: [range] };
  const { deviations } = judge({ headers: [['Content-Type', type]] }, documented);
  const due = `application/json or ${range}`;
  expect(deviations.map(({ reason, expected }) => [reason, expected])).toEqual(
    isDeclared ? [] : [[`the body is not declared as ${due}`, `Content-Type: ${due}`]],
  );
});

test('a sequence that cannot be decoded has no items, and hence no shape', () => {
  const documented = { ...PET, mediaType: 'application/x-ndjson', schema: { type: 'array' } };
  const headers: HeaderLine[] = [['Content-Type', 'application/x-ndjson']];
  const cut = { body: '', undecodable: 'the gzip ends early', headers };
  const reason = 'the body is not a sequence (application/x-ndjson): the gzip ends early';
  expect(judge(cut, documented)).toMatchObject({
    met: ['service.content-type'],
    deviations: [
      { requirement: 'service.json', reason, expected: 'items that are each one JSON value in UTF-8' },
    ],
    hidden: [{ requirement: 'Pet', reason }],
  });
});

test('a sequence whose items nobody describes is not read', () => {
  const headers: HeaderLine[] = [['Content-Type', 'application/x-ndjson']];
  expect(judge({ body: '{"id":', headers }, { mediaType: 'application/x-ndjson' })).toEqual({
    met: ['service.content-type'],
    deviations: [],
    hidden: [],
  });
});
