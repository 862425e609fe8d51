import { expect, test } from 'vitest';
import { creation, operation } from '../../../test/operations/operations.ts';
import { type LenientForm, type Probe, SPELLINGS } from '../../model/probe.ts';
import { probe } from '../probe.ts';
import { lenientVariations } from './lenient.ts';

const list = operation();
const long = (id: string) =>
  probe(creation({}), id, 'create', {
    title: id,
    body: { json: { name: { late: 'own', as: 'text', like: 'Ab'.repeat(500), of: id } } },
  });
const open = (id: string, change: Partial<Probe> = {}) =>
  probe(list, id, 'invalid', { title: id, validity: 'open', ...change });
const idsOf = (probes: Probe[], seed: number) =>
  Object.fromEntries(
    [...lenientVariations(probes, seed)].map(([id, own]) => [id, own.map((each) => each.id)]),
  );

test('seven seeds give each long text another length or another content', () => {
  const seen = [0, 1, 2, 3, 4, 5, 6, 7].map((seed) => idsOf([long('a'), long('b')], seed));
  const first = seen.map((each) => each['createThing:a']?.join());
  const expected = [255, 256, 1_000, 1_024, 10_000].map((each) => `text-length:${each}`);
  expect([...new Set(first)].sort()).toEqual([...expected, 'risky-text:code', 'risky-text:control'].sort());
  expect(first[7]).toBe(first[0]);
  // The next one has what the next seed gives the first one.
  expect(seen.map((each) => each['createThing:b']?.join()).slice(0, 7)).toEqual(first.slice(1));
});

test('a length is the number of characters that its id says', () => {
  for (let seed = 0; seed < 7; seed += 1)
    for (const each of [...lenientVariations([long('a')], seed).values()].flat()) {
      if (each.kind === 'text-length') expect(each.id).toBe(`text-length:${each.length}`);
      else expect(each.kind === 'risky-text' && /'|\p{Cc}/u.test(each.text)).toBe(true);
    }
});

test('a request that is there for its form has that form, and letters with accents', () => {
  const [own] = [...lenientVariations([{ ...long('a'), form: 'chunked', body: { json: {} } }], 0).values()];
  expect(own?.map(({ id }) => id)).toEqual(['text:latin', 'chunked']);
  expect(own?.[0]).toMatchObject({ kind: 'text', text: expect.stringContaining('Zoë') });
  expect(own?.[1]).toMatchObject({ kind: 'lenient', form: 'chunked' });
});

test('every other read that is open anyway has a form in turn, even seeds from the first on', () => {
  const reads = ['a', 'b', 'c', 'd'].map((id) => open(id));
  expect(Object.keys(idsOf(reads, 0))).toEqual(['listThings:a', 'listThings:c']);
  expect(Object.keys(idsOf(reads, 1))).toEqual(['listThings:b', 'listThings:d']);
  const forms = [0, 1, 2, 3].flatMap((seed) => Object.values(idsOf(reads, seed)).flat());
  expect(new Set(forms.slice(0, 7)).size).toBe(7);
  expect(forms[7]).toBe(forms[0]);
  const known: LenientForm[] = [
    'accept-absent',
    'accept-any',
    'accept-list',
    'user-agent',
    'origin',
    'unknown-parameter',
    'spelling',
  ];
  expect([...new Set(forms)].sort()).toEqual([...known].sort());
});

test('no other request has a form that may be refused', () => {
  const others = [
    open('a', { validity: 'valid' }),
    open('b', { validity: 'invalid' }),
    open('c', { stage: 'list' }),
    open('d', { key: 'absent', spelling: SPELLINGS[0] }),
    open('e', { body: { text: 'x' } }),
  ];
  for (const each of others) expect(idsOf([each], 0)).toEqual({});
});
