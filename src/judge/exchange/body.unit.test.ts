import { describe, expect, test } from 'vitest';
import { judge, PET } from '../../../test/exchanges/pet-response.ts';
import type { DocumentedResponse, Operation } from '../../model/contract.ts';
import type { HeaderLine, Received } from '../../model/exchange.ts';
import { bodyFor, type DocumentedBody, judgeText } from './body.ts';

test('a body that is as documented fulfils its media type, JSON and its shape', () => {
  expect(judge({})).toEqual({
    met: ['service.content-type', 'service.json', 'Pet', 'Pet.id'],
    deviations: [],
    hidden: [],
    value: { id: 1 },
  });
});

test('a response that documents no body may have any', () => {
  for (const body of ['', '{"id":1}', '<p>'])
    expect(judge({ body }, {})).toEqual({ met: [], deviations: [], hidden: [] });
});

test('an empty body is not of the shape, whatever it is declared as', () => {
  expect(judge({ body: '', headers: [] })).toEqual({
    met: [],
    deviations: [
      {
        requirement: 'Pet',
        kind: 'shape',
        reason: 'the body is empty',
        expected: 'an object with id',
        received: 'an empty body',
      },
    ],
    hidden: [],
  });
});

describe('media type', () => {
  const types = (...values: string[]) => ({
    headers: values.map((value): HeaderLine => ['content-type', value]),
  });

  test.each<string[]>([
    ['application/json'],
    ['Application/JSON'],
    ['application/json;charset=utf-8'],
    ['application/json ; charset="utf-8"'],
    [' application/json '],
    ['application/json; profile="a, b"'],
    ['application/json', 'application/json'],
    ['application/json, application/json; charset=utf-8'],
  ])('%s %s', (...values) => {
    expect(judge(types(...values.filter((value) => value !== undefined))).deviations).toEqual([]);
  });

  test.each<[values: string[], received: string]>([
    [[], 'no Content-Type header'],
    [['text/html'], 'Content-Type: text/html'],
    [['application/problem+json'], 'Content-Type: application/problem+json'],
    [[''], 'Content-Type: '],
    [['application/json', 'text/html'], 'Content-Type: application/json, Content-Type: text/html'],
    [['application/json, text/html'], 'Content-Type: application/json, text/html'],
    [['text/html', 'application/json'], 'Content-Type: text/html, Content-Type: application/json'],
  ])('%s', (values, received) => {
    expect(judge(types(...values))).toMatchObject({
      met: [],
      hidden: [],
      deviations: [
        {
          requirement: 'service.content-type',
          kind: 'media-type',
          reason: 'the body is not declared as application/json',
          expected: 'Content-Type: application/json',
          received,
        },
      ],
    });
  });
});

test.each<[what: string, documented: DocumentedBody, types: string[]]>([
  ['of another type that is allowed, too', { ...PET, otherMediaTypes: ['text/csv'] }, ['text/csv']],
  ['of both types', { ...PET, otherMediaTypes: ['text/csv'] }, ['application/json', 'text/csv']],
  ['of a type that is not JSON', { mediaType: 'text/csv' }, ['text/csv']],
])('a body is read as JSON only if it is nothing else: not one %s', (_what, documented, types) => {
  const headers = types.map((type): HeaderLine => ['Content-Type', type]);
  expect(judge({ body: 'id,name', headers }, documented)).toEqual({
    met: ['service.content-type'],
    deviations: [],
    hidden: [],
  });
});

test.each<[what: string, documented: DocumentedBody]>([
  ['a requirement that has no schema', { mediaType: 'application/json', bodyRequirement: 'Pet' }],
  ['a schema that no requirement is about', { mediaType: 'application/json', schema: { type: 'object' } }],
])('no shape is judged by %s', (_what, documented) => {
  expect(judge({ body: '[]' }, documented)).toEqual({
    met: ['service.content-type', 'service.json'],
    deviations: [],
    hidden: [],
  });
  expect(judge({ body: '' }, documented).deviations).toEqual([]);
});

test('what is not JSON, or not text, has no shape', () => {
  const [deviation] = judge({ body: '{"id":1' }).deviations;
  expect(deviation).toMatchObject({
    requirement: 'service.json',
    expected: 'one JSON value in UTF-8',
    received: '{"id":1',
  });
  expect(deviation?.reason).toMatch(/^the body is not JSON: ./);
  expect(judge({ body: '', undecodable: 'the gzip ends early' })).toEqual({
    met: ['service.content-type'],
    deviations: [
      {
        requirement: 'service.json',
        kind: 'json',
        reason: 'the body is not JSON: the gzip ends early',
        expected: 'one JSON value in UTF-8',
        received: '',
      },
    ],
    hidden: [
      {
        requirement: 'Pet',
        kind: 'shape',
        reason: 'the body is not JSON: the gzip ends early',
        expected: 'an object with id',
        received: '',
      },
    ],
  });
});

describe('what comes first owns a body, and hides what else is wrong with it', () => {
  test.each<[what: string, change: Partial<Received>, owner: string, hidden: string[]]>([
    [
      'a page',
      { headers: [['Content-Type', 'text/html']], body: '<p>' },
      'service.content-type',
      ['service.json', 'Pet'],
    ],
    [
      'JSON of another type and shape',
      { headers: [], body: '{"id":"1"}' },
      'service.content-type',
      ['Pet.id'],
    ],
    ['a document of another shape', { headers: [], body: '{"key":1}' }, 'service.content-type', ['Pet.id']],
    ['half a document', { body: '{"id"' }, 'service.json', ['Pet']],
    ['another shape', { body: '[]' }, 'Pet', []],
  ])('%s', (_what, change, owner, hidden) => {
    const judged = judge(change);
    expect(judged.deviations.map(({ requirement }) => requirement)).toEqual([owner]);
    expect(judged.hidden.map(({ requirement }) => requirement)).toEqual(hidden);
  });
});

test('of a body that was not read its type is known', () => {
  const unread = { body: '', unread: 'larger than petspec reads' };
  expect(judge(unread)).toEqual({ met: ['service.content-type'], deviations: [], hidden: [] });
  expect(judge({ ...unread, headers: [['Content-Type', 'text/csv']] })).toMatchObject({
    met: [],
    deviations: [{ requirement: 'service.content-type', received: 'Content-Type: text/csv' }],
  });
});

describe('what a body is to be', () => {
  const of = (...responses: Partial<DocumentedResponse>[]) =>
    ({ responses: responses.map((each) => ({ ...PET, ...each })) }) as unknown as Operation;
  const any = { mediaType: 'application/json' };

  test.each<[status: number, isOpen: boolean, expected: unknown]>([
    [200, false, expect.objectContaining({ bodyRequirement: 'Pet' })],
    [200, true, expect.objectContaining({ bodyRequirement: 'Pet' })],
    [400, false, expect.objectContaining({ bodyRequirement: 'Error' })],
    [400, true, any],
    [206, false, any],
    [403, true, any],
    [500, false, any],
    [300, false, {}],
    [399, false, {}],
    [404, true, {}],
    [405, false, {}],
    [410, false, {}],
  ])('%s, open: %s', (status, isOpen, expected) => {
    const operation = of({}, { status: '400', bodyRequirement: 'Error' });
    expect(bodyFor(operation, status, isOpen)).toEqual(expected);
  });

  test('a precondition that fails where it may has no content', () => {
    const operation = { ...of({ status: '304' }, { status: '400' }), mayRefuse: true } as const;
    expect(bodyFor(operation, 304)).toEqual({});
    expect(bodyFor(operation, 400)).toEqual(expect.objectContaining({ bodyRequirement: 'Pet' }));
  });

  test('where what is documented has no one media type, it is not judged', () => {
    expect(bodyFor(of({}, { status: '400', mediaType: 'text/plain' }), 403)).toEqual({});
    expect(bodyFor(of(), 403)).toStrictEqual({});
  });

  test('what is documented without a body has no media type of its own', () => {
    const { mediaType: _, schema: __, bodyRequirement: ___, ...bare } = PET;
    const operation = { responses: [PET, { ...bare, status: '204' }] } as unknown as Operation;
    expect(bodyFor(operation, 403)).toEqual(any);
  });

  test('the body of a documented redirect is not judged where the interface leaves open what comes', () => {
    expect(bodyFor(of({ status: '300' }), 300)).toEqual(expect.objectContaining({ bodyRequirement: 'Pet' }));
    expect(bodyFor(of({ status: '300' }), 300, true)).toEqual({});
  });

  test('JSON of any shape is, and no body at all', () => {
    for (const body of ['', 'null', '[1]']) expect(judge({ body }, any).deviations).toEqual([]);
    expect(judge({ body: '<p>' }, any).deviations).toMatchObject([{ requirement: 'service.json' }]);
    expect(judge({ body: '[1]' }, any)).toEqual({
      met: ['service.content-type', 'service.json'],
      deviations: [],
      hidden: [],
    });
  });
});

const DOCUMENTED = { schema: { type: 'string', pattern: '^[a-z]{2}$' }, bodyRequirement: 'Word' } as const;
const judged = (change: Partial<Received>, types: readonly string[] = ['text/plain']) =>
  judgeText({ status: 200, headers: [], body: 'ab', ...change }, DOCUMENTED, types);
const wrongIn = (...args: Parameters<typeof judged>) =>
  judged(...args).deviations.map(({ requirement }) => requirement);

test.each(['ab', 'ab\n', 'ab\r\n', '\ufeffab', '\ufeffab\r\n'])('%j has the shape', (body) => {
  expect(judged({ body })).toEqual({ met: ['Word'], deviations: [], hidden: [] });
});

test.each(['abc', 'ab\n\n', '\nab', 'ab\ncd', 'a\ufeffb', 'ab '])('%j has another one', (body) => {
  expect(wrongIn({ body })).toEqual(['Word']);
});

test.each(['utf-8', 'UTF-8', 'utf8', 'us-ascii', '"utf-8"'])('the charset %s is read', (charset) => {
  expect(wrongIn({ body: 'abc' }, [`text/plain; charset=${charset}`])).toEqual(['Word']);
});

test.each(['iso-8859-1', 'utf-16', 'x-utf-8', 'utf-8x', 'us-ascii-2'])(
  'what %s says is not judged',
  (charset) => {
    expect(judged({ body: 'abc' }, [`text/plain; charset=${charset}`])).toEqual({
      met: [],
      deviations: [],
      hidden: [],
    });
  },
);

test('another parameter is no charset', () => {
  expect(wrongIn({ body: 'abc' }, ['text/plain; x-charset=utf-16'])).toEqual(['Word']);
});

test('what cannot be decoded is not judged', () => {
  expect(judged({ body: 'abc', undecodable: 'not UTF-8' })).toEqual({ met: [], deviations: [], hidden: [] });
});
