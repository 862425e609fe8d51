import { describe, expect, test } from 'vitest';
import { contractOf, requirement } from '../../../test/operations/operations.ts';
import { type Change, evidenceOf, OPERATIONS } from '../../../test/operations/written-things.ts';
import { semanticChecks } from './semantic-checks.ts';

const MERGE = 'application/merge-patch+json';
const ID = 'getThing.replaced';

/** The values of a thing as it is created, and how the read, the patch, and what comes after it differ. */
interface Story {
  created?: object;
  read?: object;
  patch?: object;
  answered?: object;
  after?: object;
  type?: string;
  level?: 'must' | 'should';
}

/** What is found where only a patch changes a thing. */
function foundIn({ type = MERGE, level = 'should', ...story }: Story): string {
  const created = { name: 'Oak', color: 'red', size: 5, ...story.created };
  const patch = story.patch ?? { name: 'Elm' };
  const read = { id: 1, ...created, ...story.read };
  const after = { ...read, ...patch, ...story.after };
  const change: Change = {
    'createThing:first': { sent: created, body: { id: 1, ...created } },
    'getThing:created': { body: read },
    'putThing:changed': undefined,
    'getThing:changed-put': undefined,
    'patchThing:changed': { sent: patch, type, body: story.answered ?? after },
    'getThing:changed-patch': { body: after },
  };
  const contract = contractOf(OPERATIONS, { requirements: [{ ...requirement(ID), level }] });
  const check = semanticChecks(contract).find((each) => each.requirement === ID);
  const finding = check?.judge(evidenceOf(contract, change));
  return finding?.status === 'violated'
    ? `${finding.reason}: ${finding.expected}; ${finding.received}; ${finding.pointer}`
    : `${finding?.status}`;
}

const reset = (name: string, from: string, to: string) =>
  `${name} is ${to.startsWith('no ') ? 'missing' : 'another one'} after a merge patch that does not name it: ${name}: ${from}; ${to}; /${name.replaceAll('.', '/')}`;
const ADDRESS = { street: 'High Street', town: 'York' };

describe('a merge patch', () => {
  test.each<[what: string, story: Story, found: string]>([
    ['that sets a field back to null', { after: { color: null } }, reset('color', '"red"', 'color: null')],
    ['that empties a text', { after: { color: '' } }, reset('color', '"red"', 'color: ""')],
    ['that sets a number to 0', { after: { size: 0 } }, reset('size', '5', 'size: 0')],
    ['that drops a field', { after: { color: undefined } }, reset('color', '"red"', 'no color')],
    [
      'whose response alone shows a field as null',
      { answered: { name: 'Elm', color: null } },
      reset('color', '"red"', 'color: null'),
    ],
    [
      'that drops a field of an object that it names',
      {
        created: { address: ADDRESS },
        patch: { address: { town: 'Hull' }, name: 'Elm' },
        after: { address: { town: 'Hull' } },
      },
      reset('address.street', '"High Street"', 'no address.street'),
    ],
    [
      'that changes another field, where each counts',
      { after: { color: 'blue' }, level: 'must' },
      reset('color', '"red"', 'color: "blue"'),
    ],
    [
      'with a parameter in its media type',
      { after: { color: null }, type: `${MERGE}; charset=utf-8` },
      reset('color', '"red"', 'color: null'),
    ],
  ])('%s is found', (_what, story, found) => {
    expect(foundIn(story)).toBe(found);
  });

  test.each<[what: string, story: Story]>([
    ['that keeps what it does not name', {}],
    ['whose response shows only what changed', { answered: { name: 'Elm' } }],
    ['whose response shows nothing', { answered: [] }],
    [
      'after which another field has another value, as a rule of the service may ask',
      { after: { color: 'blue' } },
    ],
    [
      'after which what the service computes is another one',
      {
        read: { version: 1, etag: 'a', updatedAt: '2026-01-01' },
        after: { version: 2, etag: null, updatedAt: null },
        level: 'must',
      },
    ],
    [
      'after which a field is null that was read as another value before',
      { read: { color: 'green' }, after: { color: null } },
    ],
    [
      'after which a field is null that was not read before',
      { read: { color: undefined }, after: { color: null } },
    ],
    [
      'after which a field is null that was null before',
      { created: { color: null }, after: { color: undefined } },
    ],
    ['that names the field', { patch: { name: 'Elm', color: null } }],
    [
      'that keeps the fields of an object that it names',
      {
        created: { address: ADDRESS },
        patch: { name: 'Elm', address: { town: 'Hull' } },
        after: { address: { ...ADDRESS, town: 'Hull' } },
      },
    ],
    [
      'after which a text is trimmed',
      { created: { color: ' red ' }, after: { color: 'red' }, level: 'must' },
    ],
    ['that is no merge patch', { after: { color: null }, type: 'application/json' }],
    ['that is a JSON Patch', { after: { color: null }, type: 'application/json-patch+json' }],
  ])('%s conforms', (_what, story) => {
    expect(foundIn(story)).toBe('met');
  });
});
