import { expect, test } from 'vitest';
import { type Finding, met, notTested, observed, vacuous, violated } from '../model/finding.ts';
import { mergeFindings, withoutTraffic } from './merge.ts';

const wrong = (reason: string, at: string): Finding =>
  violated(
    { kind: 'shape', reason, expected: 'a', received: 'b' },
    [1],
    [{ what: reason, kind: 'shape', at: [at] }],
  );

/** From what counts most to what counts least. */
const ORDER: Finding[] = [
  wrong('wrong', 'listPets 200'),
  { ...wrong('unwise', 'listPets 200'), status: 'advisory' },
  notTested('contradicted', 'contradicted', 'x'),
  met([1]),
  observed('seen', [1]),
  vacuous('nothing could have shown it'),
  notTested('inconclusive', 'says nothing'),
];

test.each(ORDER.map((finding, index) => ({ finding, index })))(
  '$finding.status counts before what follows it ($index)',
  ({ finding, index }) => {
    for (const other of ORDER.slice(index + 1)) {
      expect(mergeFindings({ a: finding }, { a: other }).a).toBe(finding);
      expect(mergeFindings({ a: other }, { a: finding }).a).toBe(finding);
    }
  },
);

test('violations of several parts are one, with all places', () => {
  const merged = mergeFindings(
    { a: wrong('first', 'listPets 200') },
    { a: wrong('second', 'createPet 201') },
  );
  expect(merged.a).toMatchObject({ reason: 'first', evidence: [1] });
  expect(merged.a?.seen).toEqual([{ what: 'first', kind: 'shape', at: ['createPet 201', 'listPets 200'] }]);
});

test('what nothing shows is not tested, and what a violation hides names it', () => {
  const findings = withoutTraffic(['a', 'b', 'c', 'd'], {
    a: wrong('wrong', 'listPets 200'),
    b: notTested('blocked', 'cannot be judged: wrong', 'a'),
    c: notTested('blocked', 'cannot be judged: unwise', 'e'),
  });
  expect(findings.a).toMatchObject({ status: 'violated' });
  expect(findings.b).toMatchObject({ untested: 'blocked', cause: 'a' });
  expect(findings.c).toMatchObject({ untested: 'no-traffic' });
  expect(findings.d).toMatchObject({ status: 'not-tested', untested: 'no-traffic' });
});
