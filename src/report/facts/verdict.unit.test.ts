import { HtmlValidate } from 'html-validate';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import { junitProblems } from '../../../test/reports/parsers.ts';
import { contract, sampleRun } from '../../../test/reports/sample-runs.ts';
import { renderBadge, renderShield } from '../../certificate/badge.ts';
import { type Report, run, startReference, VirtualClock } from '../../index.ts';
import { exitStatusOf } from '../../model/report/report.ts';
import { compareReports } from '../compare/compare.ts';
import { renderCompareHtml } from '../compare/compare-html.ts';
import { renderCompareMarkdown, renderCompareText } from '../compare/compare-text.ts';
import { renderForAgents } from '../formats/agent.ts';
import { renderCtrf } from '../formats/ctrf.ts';
import { renderAnnotations } from '../formats/github.ts';
import { renderJunit } from '../formats/junit.ts';
import { renderMarkdown } from '../formats/markdown.ts';
import { renderSarif } from '../formats/sarif.ts';
import { renderHtml } from '../html/index.ts';
import { readReport } from '../read-report.ts';
import { plain } from '../text/style.ts';
import { renderReport } from '../text/terminal.ts';

// Whole runs are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** How many requirements of level `must` the interface has. */
const MUSTS = contract.requirements.filter(({ level }) => level === 'must').length;

const page = { style: plain, width: Number.POSITIVE_INFINITY, detail: 'usual' as const };

/** A run against the reference without its message address. */
async function runWithoutMessages(only: string[]): Promise<Report> {
  const clock = new VirtualClock(Date.parse('2026-11-21T12:00:20Z'));
  const { baseUrl, close } = await startReference({ clock, apiKey: 'a-key' });
  onTestFinished(() => close());
  return run({ baseUrl, apiKey: 'a-key', clock, only });
}

describe('a run that judged no requirement of level must is incomplete', () => {
  const options = async (options: object) => (await sampleRun({ options })).report;
  const none = 'nothing judged';
  const noMust = `0 of ${MUSTS} requirements judged`;
  test.each<[what: string, run: () => Promise<Report>, leftOutBy: string[], words?: string]>([
    ['what the interface leaves open', () => options({ only: ['open.*'] }), ['--only']],
    ['advice', () => options({ only: ['getPet.sunset'] }), ['--only'], noMust],
    ['advice that counts', () => options({ only: ['getPet.sunset'], strict: true }), ['--only'], noMust],
    [
      'the limit, which is not used up',
      () => options({ only: ['TooManyRequests'], exhaust: 'none' }),
      ['--only', '--no-exhaust'],
    ],
    [
      'messages, without their address',
      () => runWithoutMessages(['sendMessage.*']),
      ['--only', 'no --api-url'],
    ],
    [
      'what is added, where nothing is',
      () => options({ only: ['createPet.*'], readOnly: true }),
      ['--only', '--read-only'],
    ],
  ])('%s', async (_, narrowed, leftOutBy, words = none) => {
    const report = await narrowed();
    expect([report.verdict, exitStatusOf(report)]).toEqual(['incomplete', 3]);
    expect(report.judged).toEqual({ requirements: 0, of: MUSTS, unexercised: 0 });
    expect(report.because).toMatch(/^no requirement of level must was judged/);
    for (const option of leftOutBy) expect(report.because).toContain(option);
    expect(renderReport(report, page)).toContain(`incomplete (${words}): `);
    expect(renderAnnotations(report)).toMatch(/^::warning .*no requirement of level must was judged/);
  });
});

describe('a narrowed verdict says how much it covers', () => {
  const narrowed = sampleRun({ options: { only: ['sendMessage.*'] } });

  test('in report.json: how many requirements of level must are met or violated', async () => {
    const { report } = await narrowed;
    expect(report).toMatchObject({
      verdict: 'conformant',
      judged: { requirements: 4, of: MUSTS, unexercised: 0 },
      because: expect.stringContaining('--only'),
    });
    expect(exitStatusOf(report)).toBe(0);
  });

  test('in every format', async () => {
    const { report } = await narrowed;
    const words = `conformant (4 of ${MUSTS} requirements judged)`;
    expect(renderReport(report, page)).toContain(`${words}: http://`);
    expect(renderReport(report, { ...page, detail: 'quiet' })).toMatch(/^conformant \(4 of /);
    expect(renderMarkdown(report)).toMatch(new RegExp(`^## ☑️ petspec: ${words.replace(/[()]/g, '\\$&')}\n`));
    expect(renderAnnotations(report)).toMatch(`::notice title=petspec%3A ${words}::no requirement violated`);
    const xml = renderJunit(report);
    expect(await junitProblems(xml)).toEqual([]);
    expect(xml).toContain(`<property name="judged" value="4 of ${MUSTS} of level must judged"/>`);
    expect(JSON.parse(renderCtrf(report)).results.summary.extra).toMatchObject({
      verdict: 'conformant',
      judged: { requirements: 4, of: MUSTS },
    });
    expect(JSON.parse(renderShield(report))).toMatchObject({
      message: words,
      color: expect.not.stringContaining('green'),
    });
    expect(renderBadge(report)).toContain(`<title id="title">petspec: ${words}</title>`);
    const compared = compareReports([report, report].map((each) => ({ name: 'run', report: each })));
    expect(renderCompareText(compared, page)).toMatch(/run +target +verdict +violated +not tested\n/);
    expect(renderCompareText(compared, page)).toContain(words);
    expect(renderCompareMarkdown(compared)).toContain(`${words}, no requirement violated`);
    expect(renderCompareHtml(compared)).toContain(`<b>C${words.slice(1)}</b><p>no requirement violated`);
  });

  test('the page has another head than for a whole verdict', async () => {
    const html = renderHtml((await narrowed).report);
    expect(html).toContain(`<title>Conformant (4 of ${MUSTS} requirements judged): `);
    expect(html).toMatch(/<header class="verdict part">/);
    expect(html).toMatch(
      new RegExp(
        `<h1>.*Conformant</span> <span class="extent">4 of ${MUSTS} requirements judged</span></h1>`,
      ),
    );
    const { results } = await new HtmlValidate({ extends: ['html-validate:standard'] }).validateString(html);
    expect(results.flatMap(({ messages }) => messages)).toEqual([]);
    const whole = renderHtml((await sampleRun()).report);
    expect(whole).toContain('<header class="verdict met">');
    expect(whole).not.toContain('class="extent"');
    expect(whole).toContain(`${MUSTS} of ${MUSTS} of level must`);
  });

  test('also if it is not conformant', async () => {
    const { report } = await sampleRun({ faults: ['list-one-too-many'], options: { readOnly: true } });
    expect(renderReport(report, page)).toMatch(/^non-conformant \(\d+ of \d+ requirements judged\): http:/m);
    expect(renderMarkdown(report)).toMatch(
      /^## ❌ petspec: non-conformant \(\d+ of \d+ requirements judged\)/,
    );
  });

  test('with the number of requirements that were not exercised', async () => {
    const { report } = await sampleRun({ options: { readOnly: true } });
    const unexercised = report.requirements.filter(
      ({ level, status, exercised }) => level === 'must' && status === 'met' && !exercised,
    );
    expect(unexercised.length).toBeGreaterThan(0);
    expect(report.judged?.unexercised).toBe(unexercised.length);
    expect(report.because).toContain(`(${unexercised.length} not exercised)`);
    expect(renderReport(report, page)).toContain(
      ` of level must judged (${unexercised.length} not exercised)`,
    );
  });
});

test('a whole verdict has no addition, and the totals count it', async () => {
  const { report } = await sampleRun();
  expect(report.judged).toEqual({ requirements: MUSTS, of: MUSTS, unexercised: 0 });
  const text = renderReport(report, page);
  expect(text).toMatch(/^conformant: http:/m);
  expect(text).toContain(`${MUSTS} of ${MUSTS} of level must judged`);
  expect(renderMarkdown(report)).toMatch(/^## ✅ petspec: conformant\n/);
  expect(renderAnnotations(report)).toBe('');
  expect(JSON.parse(renderShield(report))).toMatchObject({ message: 'conformant', color: 'brightgreen' });
});

describe('a report where nothing could be judged says that first', () => {
  const absent = run({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'a-key' });

  test.each<[format: string, render: (report: Report) => string, beginning: RegExp]>([
    [
      'text',
      (report) => renderReport(report, page),
      /^incomplete \(nothing judged\): http:\S+, the base address cannot be reached/,
    ],
    ['Markdown', renderMarkdown, /^## ⚠️ petspec: incomplete \(nothing judged\)\n/],
    [
      'agent',
      renderForAgents,
      /^# petspec: incomplete \(nothing judged\)\n\n.*cannot be reached.* Nothing was judged, so there is nothing to change in the service yet\./,
    ],
    [
      'GitHub',
      renderAnnotations,
      /^::warning title=petspec%3A incomplete \(nothing judged\)::.*cannot be reached/,
    ],
    ['page', renderHtml, /<h1>.*Incomplete<\/span> <span class="extent">nothing judged<\/span><\/h1>/],
    ['page', renderHtml, /<h2 id="violations-title">Nothing was judged<\/h2>/],
    [
      'SARIF',
      renderSarif,
      /"toolExecutionNotifications": \[\s*\{\s*"level": "error",\s*.*\s*"text": "incomplete/,
    ],
  ])('%s', async (_, render, beginning) => {
    const text = render(await absent);
    expect(beginning.exec(text)?.[0]).toBeDefined();
    expect(/no violations|0 violations/i.exec(text)?.[0]).toBeUndefined();
  });
});

test('a run that was broken off says how much it judged', async () => {
  const { report } = await sampleRun({ faults: [] });
  const [first] = report.requirements;
  const requirements = report.requirements.map((each) =>
    each === first ? each : { ...each, status: 'not-tested' as const, reason: 'the run was interrupted' },
  );
  const judged = { requirements: 1, of: MUSTS, unexercised: 0 };
  const broken: Report = { ...report, verdict: 'incomplete', because: 'interrupted', requirements, judged };
  expect(renderReport(broken, page)).toContain(`incomplete (1 of ${MUSTS} requirements judged): http`);
  const html = renderHtml(broken);
  expect(html).toContain('>No violations in what was judged</h2>');
  expect(html).toContain(`1 of ${MUSTS} of level must judged. The others may be violated.`);
});

test('an older report without the count is counted', () => {
  const { judged, ...older } = JSON.parse(JSON.stringify({ ...handMade, suite: SUITE })) as Report;
  expect(judged).toBeUndefined();
  const read = readReport(JSON.stringify(older));
  if (typeof read === 'string') throw new Error(read);
  const compared = compareReports([{ name: 'older', report: read }]);
  // Of five of level must: two met, one violated; two not tested.
  expect(renderCompareText(compared, page)).toContain('non-conformant (3 of 5 requirements judged)');
});

const SUITE = { name: 'petspec', version: '0.1.0', specVersion: '1.0.0', specDigest: 'ab'.repeat(32) };
