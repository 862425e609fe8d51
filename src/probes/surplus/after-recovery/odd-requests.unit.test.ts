import { expect, test } from 'vitest';
import { allChecks } from '../../../../suites/index.ts';
import { loadContract } from '../../../contract/load.ts';
import { OPEN, statusesOf } from '../../../model/http/expectation.ts';
import { probesOf } from '../../../run/plan/probes.ts';
import { oddBodies, oddReads, shortTexts, smallReferences } from './odd-requests.ts';

const contract = loadContract();
const planned = probesOf(contract, allChecks(contract), 0);

test('each odd body lacks a required field, whatever a parser makes of the rest', () => {
  const texts = oddBodies(contract).map(({ body }) =>
    body && 'json' in body ? JSON.stringify(body.json) : (body?.text ?? ''),
  );
  expect(texts).toHaveLength(4);
  for (const text of texts) {
    expect(text).not.toMatch(/categoryid/i);
    expect(JSON.parse(text.replace(/^\ufeff/, ''))).toHaveProperty('name');
  }
});

test('one body has a name twice, one has it in two cases, and one begins with a byte order mark', () => {
  const textOf = (end: string) => {
    const { body } = oddBodies(contract).find(({ id }) => id === `createPet:further-${end}`) ?? {};
    return body && 'text' in body ? body.text : '';
  };
  expect(textOf('duplicate-name')).toMatch(/^\{"name":null,"name":"/);
  expect(textOf('other-case')).toMatch(/^\{"NAME":\[\],"name":"/);
  expect(textOf('byte-order-mark').codePointAt(0)).toBe(0xfeff);
});

test('a read in a malformed form is open, and has nothing else that is odd', () => {
  const reads = oddReads(contract);
  expect(reads.map(({ id }) => id)).toEqual([
    'listPets:further-broken-accept',
    'listPets:further-broken-percent',
  ]);
  for (const { validity, variations } of reads) expect([validity, variations?.length]).toEqual(['open', 1]);
});

test('a text that is a zero is sent once a digit was accepted, and only where one character may do', () => {
  const [[digit] = [], [next, zero, back] = [], [empty] = [], ...others] = shortTexts(contract, planned);
  expect([digit?.body, zero?.body]).toEqual(
    ['7', '0'].map((name) => ({ json: { name, categoryId: expect.anything() } })),
  );
  expect([digit && statusesOf(digit.expectation), zero && statusesOf(zero.expectation)]).toEqual([
    ['201', '400'],
    ['201'],
  ]);
  expect(zero?.onlyIf).toEqual({ succeeded: digit?.id });
  expect([next?.onlyIf, next && statusesOf(next.expectation)]).toEqual([
    { succeeded: digit?.id },
    ['200', '404'],
  ]);
  expect([back?.onlyIf, back && statusesOf(back.expectation)]).toEqual([{ succeeded: zero?.id }, ['200']]);
  expect([next?.path, back?.path]).toEqual([
    { petId: { late: 'response', sources: [{ probe: digit?.id, pointer: '/id' }], isNext: true } },
    { petId: { late: 'response', sources: [{ probe: zero?.id, pointer: '/id' }] } },
  ]);
  expect([empty?.body, empty && statusesOf(empty.expectation)]).toEqual([
    { json: { name: '', categoryId: expect.anything() } },
    ['201', '400'],
  ]);
  expect(others).toEqual([]);
});

test.each([
  ['zero', 0n],
  ['minus-one', -1n],
])(
  'a reference that is %s is sent once, whether while the run creates or after the recovery',
  (name, value) => {
    const sent = [0, 1, 2, 3, 4, 5, 6, 7].map((seed) => {
      const probes = probesOf(contract, allChecks(contract), seed);
      return [...probes, ...smallReferences(contract, probes)].filter(
        ({ id, body }) => body && 'json' in body && new RegExp(`:(?:further-)?${name}$`).test(id),
      );
    });
    for (const [reference, ...others] of sent) {
      expect(reference?.body).toEqual({ json: expect.objectContaining({ categoryId: value }) });
      expect(reference?.expectation).toEqual(OPEN);
      expect(others).toEqual([]);
    }
  },
);

test('an interface without such operations has none of them', () => {
  const none = { ...contract, operations: contract.operations.filter(({ id }) => id === 'getPet') };
  expect([oddBodies(none), oddReads(none), shortTexts(none, [])]).toEqual([[], [], []]);
});
