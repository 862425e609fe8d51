import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import { sampleRun } from '../../../test/reports/sample-runs.ts';
import type { NarrowingKind } from '../../model/report/report.ts';
import { renderCtrf } from '../formats/ctrf.ts';
import { renderJunit } from '../formats/junit.ts';
import { plain, styleOf } from './style.ts';
import { renderReport } from './terminal.ts';

const page = { style: plain, width: Number.POSITIVE_INFINITY, detail: 'verbose' as const };

test('a line for each section comes first, the violations and the verdict last', () => {
  const lines = renderReport(handMade, page).trimEnd().split('\n');
  expect(lines.slice(0, 2)).toEqual([
    '✗ GET /pets (listPets)        1 of 3 requirements violated',
    '! Versioning                  1 requirement; 1 advisory',
  ]);
  expect(lines.at(-1)).toMatch(
    /^non-conformant \(3 of 5 requirements judged\): https:\/\/staging\.example\.com\/v1, 1 requirement violated/,
  );
  const titles = lines.filter((line) => /^[A-Z][a-z ]+ \(\d+\)$/.test(line));
  expect(titles).toEqual([
    'Observed where the interface leaves it open (1)',
    'Not tested (1)',
    'Advisories (1)',
    'Violated (1)',
    'Follows from other findings (1)',
  ]);
});

test('what follows from another finding comes last in every list of requirements', async () => {
  const { report } = await sampleRun({ faults: ['create-200'] });
  const following = report.requirements.filter(({ cause }) => cause !== undefined);
  expect(following.map(({ reason }) => reason)).toEqual(
    Array(following.length).fill('follows from createPet.201'),
  );
  const text = renderReport(report, page);
  expect(text).toContain(
    'Follows from other findings (3)\n  follows from createPet.201:\n      createPet.echo, createPet.id, getPet.stored\n',
  );
  expect(text.indexOf('Follows from')).toBeGreaterThan(text.indexOf('Violated (1)'));
  const tests: { extra: { cause?: string } }[] = JSON.parse(renderCtrf(report)).results.tests;
  const last = tests.slice(-following.length).map(({ extra }) => extra.cause);
  expect(last).toEqual(Array(following.length).fill('createPet.201'));
  const [, suite = ''] =
    /<testsuite name="POST \/pets [\s\S]*?<testcase([\s\S]*?)<\/testsuite>/.exec(renderJunit(report)) ?? [];
  expect(suite.indexOf('<failure')).toBeLessThan(suite.indexOf('follows from createPet.201'));
});

test('untested requirements are grouped by reason', () => {
  expect(renderReport(handMade, page)).toContain('  left out: --read-only:\n      createPet.201\n');
});

test('requirements that are left open are counted, with the number of the observed ones', () => {
  const [seen] = handMade.requirements.filter(({ status }) => status === 'observed');
  if (!seen) throw new Error('nothing was observed');
  const unseen = { ...seen, id: 'open.other', exercised: false };
  const both = { ...handMade, requirements: [...handMade.requirements, unseen] };
  const counted = { ...both, summary: { ...handMade.summary, observed: 2 } };
  const text = renderReport(counted, page);
  expect(text).toContain(', 2 left open (1 observed), ');
  expect(text).toContain('Observed where the interface leaves it open (1)\n');
});

test('requirements that were not selected are counted, whatever the option is called; others are listed', () => {
  const [untested] = handMade.requirements.filter(({ reason }) => reason === 'left out: --read-only');
  if (!untested) throw new Error('nothing was left out');
  const requirements = ['a.b', 'c.d'].map((id) => ({ ...untested, id, reason: 'left out: --some' }));
  const renderedWith = (kind: NarrowingKind) => {
    const narrowed = [{ kind, option: '--some', requirements: ['a.b', 'c.d'] }];
    return renderReport({ ...handMade, narrowed, requirements }, page);
  };
  expect(renderedWith('selection')).toContain('  left out: --some: 2; report.json lists them\n');
  expect(renderedWith('selection')).not.toContain('a.b');
  expect(renderedWith('option')).toContain('  left out: --some:\n      a.b, c.d\n');
});

test('quiet: only the violations and the verdict', () => {
  const text = renderReport(handMade, { ...page, detail: 'quiet' });
  expect(text).toMatch(/^Violated \(1\)\n/);
  expect(text).not.toMatch(/Advisories|Observed|Not tested/);
  const conformant = {
    ...handMade,
    verdict: 'conformant' as const,
    requirements: [],
    because: 'no requirement violated',
  };
  expect(
    renderReport(conformant, { ...page, detail: 'quiet' })
      .trimEnd()
      .split('\n'),
  ).toHaveLength(1);
});

test.each([50, 60, 80, 120])('lines fit %d columns, except for commands', (width) => {
  const lines = renderReport(handMade, { ...page, width }).split('\n');
  const curl = handMade.requirements.find((each) => each.curl !== undefined)?.curl;
  const commands = lines.filter((line) => line.includes('curl'));
  expect(commands.map((line) => line.trim())).toEqual([curl]);
  for (const line of lines) if (!line.includes('curl')) expect(line.length).toBeLessThanOrEqual(width);
});

test('wide characters count twice', () => {
  const wide = { ...handMade, because: '猫'.repeat(100) };
  const lines = renderReport(wide, { ...page, width: 60 }).split('\n');
  const most = Math.max(...lines.map((line) => [...line].filter((character) => character === '猫').length));
  expect(most).toBeLessThanOrEqual(30);
});

test('a section: its requests, and what was left out as a whole', () => {
  const sections = [
    { name: 'GET /pets (listPets)', requests: 14 },
    { name: 'Versioning', requests: 1 },
  ];
  const text = renderReport({ ...handMade, sections }, page);
  expect(text).toContain('✗ GET /pets (listPets)        1 of 3 requirements violated, 14 requests\n');
  expect(text).toContain('! Versioning                  1 requirement, 1 request; 1 advisory\n');
  // Left out by --read-only.
  expect(text).not.toContain('POST /pets (createPet)');
});

test('the requests are counted by the kinds that the first line announces, and the time is that of the user', () => {
  const requests = { total: 80, withKey: 66, byPurpose: { keys: 12, messages: 6 }, created: ['1'] };
  const text = renderReport({ ...handMade, requests }, { ...page, seconds: 83.4 });
  expect(text).toContain(
    '; 80 requests (62 with the key, 12 with wrong keys, 6 messages), 1 animal added; 1 min 23 s\n',
  );
});

test('beside virtual time there is the time that the user waited', () => {
  const virtual = { ...handMade, virtualTime: true } as const;
  expect(renderReport(virtual, { ...page, seconds: 1.94 })).toContain(
    '; 1.9 s (1 min 2 s in virtual time)\n',
  );
  expect(renderReport(virtual, { ...page, seconds: 9.97 })).toContain('; 10 s (1 min 2 s in virtual time)\n');
});

test('only terminals get colors, and none with NO_COLOR', () => {
  const colored = renderReport(handMade, { ...page, style: styleOf({ isTTY: true }, {}) });
  expect(colored).not.toBe(renderReport(handMade, page));
  expect(stripVTControlCharacters(colored)).toBe(renderReport(handMade, page));
  for (const [stream, env] of [
    [{ isTTY: true }, { NO_COLOR: '1' }],
    [{ isTTY: true }, { TERM: 'dumb' }],
    [{}, {}],
    [{ isTTY: true }, { FORCE_COLOR: '0' }],
  ] as const)
    expect(renderReport(handMade, { ...page, style: styleOf(stream, env) })).toBe(
      renderReport(handMade, page),
    );
  expect(renderReport(handMade, { ...page, style: styleOf({}, { FORCE_COLOR: '1', NO_COLOR: '1' }) })).toBe(
    colored,
  );
  // https://no-color.org: an empty value does not count.
  expect(renderReport(handMade, { ...page, style: styleOf({ isTTY: true }, { NO_COLOR: '' }) })).toBe(
    colored,
  );
});

test('what found no room in the window after the recovery is named', () => {
  const unsent = Array.from({ length: 10 }, (_, index) => `createPet:further-${index}`);
  const text = renderReport({ ...handMade, noRoom: { sent: 1, unsent } }, { ...page, width: 200 });
  expect(text).toContain('Not sent, as the limit gave back room for 1 request after the recovery (10)\n');
  expect(text).toContain('createPet:further-6, createPet:further-7 and 2 more, in report.json\n');
  expect(renderReport(handMade, page)).not.toContain('Not sent');
});
