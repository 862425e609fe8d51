import { expect, test } from 'vitest';
import { creation, operation } from '../../test/operations/operations.ts';
import type { Schema } from '../model/contract.ts';
import { expecting, statusesOf } from '../model/http/expectation.ts';
import type { Late, Probe, RequestVariation } from '../model/probe.ts';
import { probe } from '../probes/probe.ts';
import { againProbe, hasFreeText, hasLongText, leftOutMembers, variedProbe } from './varied-probe.ts';

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 20 },
    state: { type: 'string', enum: ['new', 'sold'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
};
const create = creation(SCHEMA);
const list = operation();
const own = (like: string, of = 'createThing:full'): Late => ({ late: 'own', as: 'text', like, of });
const PLAIN = 'Rex-xxxxxxxx';
const LONG = 'Ab'.repeat(500);
const made = (json: unknown, change: Partial<Probe> = {}) =>
  probe(create, 'full', 'create', {
    title: 'all fields',
    expectation: expecting(['201']),
    body: { json },
    ...change,
  });
const bodyOf = (json: unknown, ...variations: RequestVariation[]) => {
  const { body } = variedProbe(made(json), create, variations);
  return body && 'json' in body ? body.json : undefined;
};
const text = (text: string): RequestVariation => ({ id: 'text', kind: 'text', text });
const lengthOf = (length: number): RequestVariation => ({ id: 'length', kind: 'text-length', length });
const risky: RequestVariation = { id: 'risky', kind: 'risky-text', text: '<x>' };
const form = (form: 'origin' | 'chunked'): RequestVariation => ({ id: form, kind: 'lenient', form });
const names: RequestVariation = { id: 'names', kind: 'header-names', style: 'upper' };

test('only plain texts are replaced, and end with room for characters of their own', () => {
  expect(bodyOf({ name: own(PLAIN), tags: [own(PLAIN)] }, text('Zoë'), text('a'))).toEqual({
    name: own('Zoë a-xxxxxxxx'),
    tags: [own('Zoë a-xxxxxxxx')],
  });
  expect(bodyOf({ name: own(PLAIN) }, text('a text that is too long'))).toEqual({
    name: own('a text that-xxxxxxxx'),
  });
  const kept = { name: own('x'.repeat(20)), state: 'new', size: { late: 'own', as: 'number', of: 'a' } };
  expect(bodyOf(kept, text('Zoë'))).toEqual(kept);
  expect(bodyOf({ name: own(PLAIN) }, names)).toEqual({ name: own(PLAIN) });
});

test('a long text is as long as the variation says, or one that may be read as code', () => {
  expect(bodyOf({ name: own(LONG) }, lengthOf(5))).toEqual({ name: own('AbAbA') });
  expect(bodyOf({ name: own(LONG), tags: [own(PLAIN)] }, lengthOf(5))).toEqual({
    name: own('AbAbA'),
    tags: [own(PLAIN)],
  });
  expect(bodyOf({ name: own(LONG) }, risky)).toEqual({ name: own('<x>-xxxxxxxx') });
  expect(bodyOf({ other: own(LONG) }, risky)).toEqual({ other: own('<x>-xxxxxxxx') });
  expect(bodyOf({ name: own(PLAIN) }, lengthOf(5), risky)).toEqual({ name: own(PLAIN) });
});

test('fields with an enumeration that a body leaves out are added', () => {
  const optional = (variety: number): RequestVariation => ({ id: 'o', kind: 'optional-fields', variety });
  expect(bodyOf({ name: own(PLAIN) }, optional(1))).toEqual({ name: own(PLAIN), state: 'sold' });
  expect(bodyOf({ state: 'new' }, optional(1))).toEqual({ state: 'new' });
  expect(bodyOf([1], optional(1))).toEqual([1]);
  expect(bodyOf(own(PLAIN), optional(0))).toEqual(own(PLAIN));
  expect(leftOutMembers({ body: { json: {} } }, SCHEMA, 0)).toEqual({ state: 'new' });
  expect(leftOutMembers({ body: { json: {} } }, undefined, 0)).toEqual({});
  expect(leftOutMembers({ body: { json: 'x' } }, SCHEMA, 0)).toEqual({});
  expect(leftOutMembers({ body: { text: 'x' } }, SCHEMA, 0)).toEqual({});
  expect(leftOutMembers({}, SCHEMA, 0)).toEqual({});
});

const read = (change: Partial<Probe> = {}) =>
  probe(list, 'a', 'list', {
    title: 'a page',
    expectation: expecting(['200']),
    query: [
      ['size', '1'],
      ['state', 'new'],
    ],
    rule: 'r',
    ...change,
  });
const value = (name: string, own: string): RequestVariation => ({
  id: 'v',
  kind: 'query-value',
  name,
  value: own,
});
const order: RequestVariation = { id: 'order', kind: 'query-order' };
const none: RequestVariation = { id: 'none', kind: 'query-none' };

test('other values of the query replace those of the same name, in either order', () => {
  const queryOf = (...variations: RequestVariation[]) =>
    variedProbe(read(), list, variations).query.map((each) => each.join('='));
  expect(queryOf(value('size', '5'))).toEqual(['state=new', 'size=5']);
  expect(queryOf(value('page', '2'))).toEqual(['size=1', 'state=new', 'page=2']);
  expect(queryOf(order)).toEqual(['state=new', 'size=1']);
  expect(queryOf(none)).toEqual([]);
  expect(queryOf(none, value('page', '2'))).toEqual(['page=2']);
  expect(queryOf(names)).toEqual(['size=1', 'state=new']);
});

test('with another value, a request is not there for the rule of the value before', () => {
  const ruleWith = (...variations: RequestVariation[]) => variedProbe(read(), list, variations).rule;
  expect([ruleWith(order), ruleWith(names)]).toEqual(['r', 'r']);
  expect(variedProbe(read(), list, [value('size', '5')])).not.toHaveProperty('rule');
  expect(variedProbe(read(), list, [none])).not.toHaveProperty('rule');
  const { rule: _, ...free } = read();
  expect(variedProbe(free, list, [order])).not.toHaveProperty('rule');
});

test('what a service may refuse is in the title, and may get anything', () => {
  const said = ({ title, expectation }: Probe) => [title, statusesOf(expectation)];
  expect(said(variedProbe(read(), list, [order]))).toEqual(['a page', ['200']]);
  expect(said(variedProbe(read(), list, [form('origin')]))).toEqual(['a page, with an Origin', []]);
  expect(said(variedProbe(made({ name: own(PLAIN) }), create, [form('chunked')]))).toEqual([
    'all fields, with the body in chunks',
    [],
  ]);
  const long = made({ name: own(LONG) });
  expect(said(variedProbe(long, create, [lengthOf(255)]))).toEqual(['texts of 255 characters', []]);
  expect(said(variedProbe(long, create, [risky]))).toEqual(['texts that may be read as code', []]);
});

const FORMS = {
  'accept-absent': /without Accept$/,
  'accept-any': /Accept: \*\/\*$/,
  'accept-list': /several types in Accept$/,
  'user-agent': /another User-Agent$/,
  origin: /Origin$/,
  'unknown-parameter': /unknown parameter$/,
  'type-charset': /charset in Content-Type$/,
  'type-case': /Content-Type in another case$/,
  'type-text': /Content-Type text\/plain$/,
  'type-form': /Content-Type of a form$/,
  'type-absent': /without Content-Type$/,
  chunked: /chunks$/,
  encoding: /not compressed$/,
  'broken-accept': /malformed Accept$/,
  'broken-percent': /escapes nothing$/,
  spelling: /percent-encoding$/,
} as const;

test.each(Object.entries(FORMS))('the form %s is named', (name, words) => {
  const variation = { id: name, kind: 'lenient', form: name as keyof typeof FORMS } as const;
  expect(variedProbe(read(), list, [variation]).title).toMatch(words);
});

test('without variations, and without JSON, nothing changes', () => {
  const plain = made({ name: own(PLAIN) });
  expect(variedProbe(plain, create, [])).toBe(plain);
  const raw = { ...plain, body: { text: 'raw' } };
  expect(variedProbe(raw, create, [text('Zoë')]).body).toEqual({ text: 'raw' });
  expect(variedProbe(read(), list, [text('Zoë')])).not.toHaveProperty('body');
});

test('another attempt has other texts of its own, and those of others as they are', () => {
  const ref: Late = { late: 'reference', name: 'ref', as: 'value' };
  const probe = made({ name: own(PLAIN), other: own(PLAIN, 'other'), ref });
  expect(againProbe(probe, 0)).toBe(probe);
  expect(againProbe(probe, 2)).toEqual({
    ...probe,
    body: { json: { name: own(PLAIN, 'createThing:full 2'), other: own(PLAIN, 'other'), ref } },
  });
  const headers = (ofProbe: string): NonNullable<Probe['headers']> => [
    ['key', own(PLAIN, ofProbe)],
    ['other-key', own(PLAIN, 'other')],
    ['plain', 'a'],
  ];
  const withHeaders = { ...probe, headers: headers('createThing:full') };
  expect(againProbe(withHeaders, 2).headers).toEqual(headers('createThing:full 2'));
  const raw = { ...probe, body: { text: 'raw' } };
  expect(againProbe(raw, 1)).toBe(raw);
  expect(againProbe(read(), 1)).toEqual(read());
});

test('a text is free if it is the plain one of the request itself', () => {
  const isFree = (json: unknown) => hasFreeText(made(json), create);
  expect(isFree({ name: own(PLAIN) })).toBe(true);
  expect(isFree({ tags: [own(PLAIN)] })).toBe(true);
  expect(isFree({ name: own(PLAIN, 'other') })).toBe(false);
  expect(isFree({ name: own('x') })).toBe(false);
  expect(isFree({ name: PLAIN })).toBe(false);
  expect(isFree({ name: own('x'), tags: [own(PLAIN)] })).toBe(true);
  expect(hasFreeText(made({}, { body: { text: 'x' } }), create)).toBe(false);
  expect(hasFreeText(read(), list)).toBe(false);
});

test('a text is long with a thousand characters', () => {
  expect(hasLongText(made({ name: own(LONG) }))).toBe(true);
  expect(hasLongText(made({ name: own(PLAIN) }))).toBe(false);
  expect(hasLongText(made({ name: LONG }))).toBe(false);
  expect(hasLongText(read())).toBe(false);
});

test('what is no plain object stays as it is', () => {
  const when = new Date(0);
  expect(bodyOf({ when, none: null, size: 1n }, text('a'))).toEqual({ when, none: null, size: 1n });
});
