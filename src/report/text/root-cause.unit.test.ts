import { HtmlValidate } from 'html-validate';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page as sendPage } from '../../../test/exchanges/answers.ts';
import { rootCaused } from '../../../test/reports/hand-made-report.ts';
import { htmlOfMarkdown, junitProblems } from '../../../test/reports/parsers.ts';
import { startNaive } from '../../../test/services/naive-services.ts';
import { run } from '../../index.ts';
import { reportProblem } from '../../model/report/report-schema.ts';
import { compareReports } from '../compare/compare.ts';
import { renderCompareHtml } from '../compare/compare-html.ts';
import { renderCompareMarkdown, renderCompareText } from '../compare/compare-text.ts';
import { renderCtrf } from '../formats/ctrf.ts';
import { renderAnnotations } from '../formats/github.ts';
import { renderJunit } from '../formats/junit.ts';
import { renderMarkdown } from '../formats/markdown.ts';
import { renderHtml } from '../html/index.ts';
import { plain } from './style.ts';
import { renderReport } from './terminal.ts';

// Whole runs are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const page = { style: plain, width: Number.POSITIVE_INFINITY, detail: 'usual' as const };
const SAID = 'every operation returned 503 text/html';

test('text has it before the violations and names its consequences', () => {
  const text = renderReport(rootCaused, page);
  expect(text).toContain(`\nRoot cause: ${SAID}\n  first line  <title>Down</title>\n`);
  expect(text.indexOf('Root cause: ')).toBeLessThan(text.indexOf('\n✗ listPets.status'));
  expect(text).toContain('\n    2 violated: getPet.404, createPet.400\n');
  expect(text).toContain('\n    1 not tested: getPet.stored\n');
  expect(text).toContain('\nHint: a page for browsers answers\n');
  expect(text).toContain('\nHint: no /v1 at its end\n  petspec run https://staging.example.com/v1\n');
  // Other findings are unchanged.
  expect(text.match(/^✗ /gm)).toHaveLength(1);
  expect(text).not.toMatch(/wrong with getPet\.404/);
});

test('quiet has it; verbose also has its consequences', () => {
  const quiet = renderReport(rootCaused, { ...page, detail: 'quiet' });
  expect(quiet).toMatch(new RegExp(`^Root cause: ${SAID}\n`));
  expect(quiet).toContain('\nViolated (1)\n');
  const verbose = renderReport(rootCaused, { ...page, detail: 'verbose' });
  expect(verbose).toContain('\nViolated (3)\n');
  expect(verbose).toMatch(/Observed where[\s\S]*Not tested \(1\)[\s\S]*Advisories \(1\)[\s\S]*Root cause: /);
  expect(verbose).not.toContain('--verbose');
});

test('a single violation that follows from it is not folded', () => {
  const only = {
    ...rootCaused,
    requirements: rootCaused.requirements.filter(({ id }) => id !== 'getPet.404'),
  };
  expect(renderReport(only, page)).toMatch(/^✗ createPet\.400 /m);
  expect(renderMarkdown(only)).toContain('### Violated (2)');
});

test('the page starts with it and folds its consequences', async () => {
  const html = renderHtml(rootCaused);
  const { results } = await new HtmlValidate({ extends: ['html-validate:standard'] }).validateString(html);
  expect(results.flatMap(({ messages }) => messages)).toEqual([]);
  const end = html.indexOf('</header>');
  const [head, rest] = [html.slice(0, end), html.slice(end)];
  expect(head).toContain(`<b>Root cause:</b> ${SAID}`);
  expect(head).toContain('&lt;title&gt;Down&lt;/title&gt;');
  expect(head).toContain('petspec run https://staging.example.com/v1');
  expect(head).not.toContain('wrong with getPet.404');
  const folded =
    /<details class="follows"><summary>2 violations .*?<\/summary>(.*?)<\/details>\s*<\/section>/s.exec(rest);
  expect(folded?.[1]).toContain('wrong with getPet.404');
  expect(folded?.[1]).toContain('wrong with createPet.400');
  expect(folded?.[1]).not.toContain('other animals are in it');
  expect(html).toContain('<h2 id="violations-title">3 violations</h2>');
  expect(html).toContain('because of the root cause');
});

test('Markdown starts with it and folds its consequences', () => {
  const markdown = renderMarkdown(rootCaused);
  expect(markdown).toMatch(
    /^## ❌ petspec: non-conformant.*\n\n\*\*Root cause:\*\* every operation returned 503/,
  );
  const html = htmlOfMarkdown(markdown);
  expect(html).toMatch(/<details><summary>Violated because of the root cause \(2\)<\/summary>/);
  expect(markdown).toContain('### Violated (1)');
  expect(markdown).toContain('```sh\npetspec run https://staging.example.com/v1\n```');
});

test('JUnit and CTRF have every case, and name it in its consequences', async () => {
  const xml = renderJunit(rootCaused);
  expect(await junitProblems(xml)).toEqual([]);
  expect(xml).toContain('tests="9" failures="3"');
  expect(xml).toContain(`<property name="root-cause" value="${SAID}"/>`);
  expect(xml.match(/root cause: every operation returned 503 text\/html<\/failure>/g)).toHaveLength(2);
  const { summary, tests } = JSON.parse(renderCtrf(rootCaused)).results;
  expect([tests.length, summary.failed]).toEqual([9, 3]);
  expect(summary.extra.rootCause).toMatchObject({ kind: 'status', statement: SAID });
});

test('annotations: it replaces the violations that follow', () => {
  const errors = renderAnnotations(rootCaused)
    .split('\n')
    .filter((line) => line.startsWith('::error'));
  expect(errors).toEqual([
    expect.stringMatching(
      /^::error title=petspec%3A root cause::every operation returned 503.*getPet\.404, createPet\.400$/,
    ),
    expect.stringContaining('listPets.status'),
  ]);
});

test('a comparison names it with the verdict', () => {
  const compared = compareReports([{ name: 'run', report: rootCaused }]);
  const words = `3 requirements violated; root cause: ${SAID}`;
  expect(renderCompareText(compared, page)).toContain(words);
  expect(renderCompareMarkdown(compared)).toContain(words);
  expect(renderCompareHtml(compared)).toContain(words);
});

test('text of a service is shown as text, on one line, without the key, and follows the schema', async () => {
  const body = '<p>\u001b[31m</p><p><script>alert(1)</script> ::error::x a-key-of-a-test</p>';
  const { apiUrl: origin, close } = await startNaive({
    answer: (_, response) => sendPage(response.setHeader('RateLimit-Limit', 9), 503, body),
  });
  onTestFinished(close);
  const report = await run({ baseUrl: `${origin}/v1`, apiKey: 'a-key-of-a-test', exhaust: 'none' });
  expect(reportProblem(JSON.parse(JSON.stringify(report)))).toBeUndefined();
  expect(report.rootCause?.firstLine).toContain('alert(1)');
  expect(renderReport(report, page)).toContain(
    '  first line  <p>\\u001b[31m</p><p><script>alert(1)</script> ',
  );
  for (const text of [
    JSON.stringify(report),
    renderReport(report, page),
    renderHtml(report),
    renderMarkdown(report),
    renderJunit(report),
    renderAnnotations(report),
  ]) {
    expect(text).not.toContain('a-key-of-a-test');
    expect(text).not.toContain('\u001b');
  }
  expect(renderHtml(report)).not.toContain('<script>alert');
  expect(htmlOfMarkdown(renderMarkdown(report))).not.toContain('<script>');
});
