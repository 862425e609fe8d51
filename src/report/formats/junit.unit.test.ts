import { expect, test } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import { junitProblems } from '../../../test/reports/parsers.ts';
import { renderJunit } from './junit.ts';

test('one case per requirement, with what readers look for', async () => {
  const xml = renderJunit(handMade);
  expect(await junitProblems(xml)).toEqual([]);
  expect(xml).toContain('<testsuites name="petspec" tests="7" failures="1" errors="0" time="62.000">');
  expect(xml).toContain(
    '<testsuite name="GET /pets (listPets)" tests="4" failures="1" errors="0" skipped="1" time="0" timestamp="2026-11-21T10:00:00">',
  );
  const violated = caseOf(xml, 'listPets.status');
  expect(violated).toContain('<property name="id" value="listPets.status"/>');
  expect(violated).toContain('<property name="level" value="must"/>');
  expect(violated).toContain('<property name="section" value="GET /pets (listPets)"/>');
  expect(violated).toContain('<property name="exercised" value="true"/>');
  expect(violated).toMatch(
    /<failure message="other animals are in it" type="violated">other animals are in it\nexpected: animals with status sold alone\n/,
  );
  expect(violated).toContain('reproduce: curl -i -H &quot;Authorization: Bearer $PETSPEC_API_KEY&quot;');
});

test('the reason of a skipped case is both attribute and content', () => {
  expect(caseOf(renderJunit(handMade), 'createPet.201')).toContain(
    '<skipped message="left out: --read-only">left out: --read-only</skipped>',
  );
});

test('what the interface leaves open is skipped, with what was observed', () => {
  const why = 'left open by the interface: by id, ascending';
  expect(caseOf(renderJunit(handMade), 'open.ordering')).toContain(
    `<skipped message="${why}">${why}</skipped>`,
  );
});

test('an advisory passes, with its text', () => {
  const xml = renderJunit(handMade);
  expect(caseOf(xml, 'getPet.sunset')).toContain('<system-out>advisory\nno Sunset header\n');
  expect(caseOf(xml, 'getPet.sunset')).not.toContain('<failure');
});

/** The element of a requirement's case. */
function caseOf(xml: string, id: string): string {
  const found = xml.split('<testcase ').find((each) => each.includes(`value="${id}"`));
  if (!found) throw new Error(`no case of ${id}`);
  return found.slice(0, found.indexOf('</testcase>'));
}
