import { expect, test } from 'vitest';
import { contract } from '../../test/exchanges/exchanges.ts';
import type { Contract, Requirement } from '../model/contract.ts';
import { checksOf } from './checks-of.ts';
import { type Check, unobservable } from './evidence/check.ts';

const { isComplete: _, ...incomplete } = contract;

/** A requirement of the interface, or one that is made up. */
const requirement = (id: string): Requirement => ({
  level: 'must',
  section: 'Every operation',
  statement: 's',
  source: 'openapi',
  since: '0.1.0',
  ...contract.requirements.find((each) => each.id === id),
  id,
});

const own = (id: string) => unobservable(id, 'nobody looks');
const idsOf = (of: Contract, suites = [own('own.a'), own('listPets.200')]) =>
  checksOf(of, suites).map((each) => each.requirement);

test('what a suite says itself comes last, and in place of what the document implies', () => {
  const requirements = ['listPets.200', 'getPet.200'].map(requirement);
  expect(idsOf({ ...contract, requirements })).toEqual(['getPet.200', 'own.a', 'listPets.200']);
});

test('what holds for every service is only looked at where a document says no more', () => {
  const requirements = ['service.json', 'getPet.200'].map(requirement);
  expect(idsOf({ ...contract, requirements }, [])).toEqual(['getPet.200']);
  expect(idsOf({ ...incomplete, requirements }, [])).toContain('service.json');
});

test.each([
  ['what holds for every service', 'service.json'],
  ['a response of the document', 'getPet.200'],
  ['what is read after it was created', 'getPet.created'],
])('a suite’s own check of %s replaces the other one', (_what, id) => {
  const of = {
    ...incomplete,
    requirements: ['service.json', 'getPet.200', 'getPet.created'].map(requirement),
  };
  const checksFor = (suites: readonly Check[]) =>
    checksOf(of, suites).filter((each) => each.requirement === id);
  const [replaced] = checksFor([]);
  if (!replaced) throw new Error(`no check of ${id}`);
  const changed = { ...replaced, needs: ['service.http'] };
  expect(checksFor([changed])).toEqual([changed]);
});

test('what was created is read once, not as a part of the document as well', () => {
  const of = { ...incomplete, requirements: ['getPet.200', 'getPet.created'].map(requirement) };
  const checks = checksOf(of, []).filter((each) => each.requirement === 'getPet.created');
  expect(checks.map(({ isCollecting = false }) => isCollecting)).toEqual([false]);
});

test('what a newer set adds is left out, whoever looks at it', () => {
  const requirements = ['listPets.200', 'getPet.200', 'getPet.404'].map(requirement);
  const newer = ['getPet.404', 'own.b'].map(requirement);
  const suites = [own('own.a'), own('own.b')];
  expect(idsOf({ ...contract, requirements, newer }, suites)).toEqual([
    'listPets.200',
    'getPet.200',
    'own.a',
  ]);
});
