import { stripVTControlCharacters } from 'node:util';
import { validate as validateCtrf } from 'ctrf';
import { expect, test, vi } from 'vitest';
import { isNightly } from '../../test/nightly/sampled.ts';
import { rootCaused } from '../../test/reports/hand-made-report.ts';
import {
  elementsOf,
  harProblems,
  htmlOfMarkdown,
  junitProblems,
  MARKDOWN_ELEMENTS,
} from '../../test/reports/parsers.ts';
import { expectHarmless, expectNoCommand, withTexts } from '../../test/reports/spoiled-reports.ts';
import { brief } from '../model/exchange.ts';
import type { Report } from '../model/report/report.ts';
import { compareReports } from './compare/compare.ts';
import { renderCompareHtml } from './compare/compare-html.ts';
import { renderCompareMarkdown, renderCompareText } from './compare/compare-text.ts';
import { renderForAgents } from './formats/agent.ts';
import { renderCsv } from './formats/csv.ts';
import { renderCtrf } from './formats/ctrf.ts';
import { renderAnnotations } from './formats/github.ts';
import { renderHar } from './formats/har.ts';
import { renderJunit } from './formats/junit.ts';
import { renderMarkdown } from './formats/markdown.ts';
import { renderSarif } from './formats/sarif.ts';
import { renderHtml } from './html/index.ts';
import { renderExchangeLine } from './text/explain.ts';
import { plain, styleOf } from './text/style.ts';
import { renderReport } from './text/terminal.ts';

// Megabytes take their time on a loaded machine.
vi.setConfig({ testTimeout: 60_000 });

/** Characters: more than any format keeps, but for a HAR, and where all of them must not add up to more than a page may have. */
const [LONG, MEGABYTES] = isNightly ? [2_000_000, 2_000_000] : [150_000, 300_000];

const HOSTILE: readonly [what: string, text: string][] = [
  ['a script', '<script>alert(1)</script>'],
  ['an attribute that is broken out of', `"'><img src=x onerror=alert(1)>`],
  ['the end of elements that hold it', '</td></summary></details></code></pre></title></style></textarea>'],
  [
    'colors and a link of a terminal',
    '\u001b[31mred \u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  ],
  ['a clipboard and a title of a terminal', '\u001b]52;c;cm0gLXJmIC8=\u0007\u001b]0;owned\u001b\\'],
  ['a C1 control sequence', '\u009b31m\u0090q\u009c'],
  ['a workflow command', '::error file=a.js,line=1::owned'],
  ['a workflow command after blanks', ' \t ::set-env name=PATH::/tmp'],
  ['a workflow command on a line of its own', 'x\n::error::owned\r\n::stop-commands::x\ny'],
  ['a workflow command after a carriage return', 'x\r::add-mask::a\r'],
  ['an old workflow command', 'x ##[error]owned ##[add-mask]a'],
  ['an escaped line break of a workflow command', '%0A::error::owned%25'],
  ['the end of character data', ']]> <![CDATA[ <!-- --> <?xml ?> <!DOCTYPE x [<!ENTITY y "z">]> &y;'],
  ['controls that XML forbids', '\u0000\u0001\u0008\u000b\u000c\u000e\u001f\u007f'],
  ['code points that XML forbids', '\ufffe\uffff\u{1ffff}'],
  ['halves of characters', '\ud800 \udc00\ud800'],
  ['text that runs the other way', '\u202eevil\u2066\u200f\u061c'],
  ['characters that are not seen', '\u200b\ufeff\u00ad\u{e0041}'],
  ['line separators', 'a\u2028::error::x\u2029b\u0085c'],
  ['code of Markdown', '` `` ``` \n```\n~~~ x'],
  ['a table of Markdown', '| a | b |\n| --- | --- |\\| \\\\| c'],
  [
    'links of Markdown',
    '[x](javascript:alert(1)) ![y](https://evil.example/z.png) <https://evil.example> [^1]',
  ],
  [
    'addresses that become links',
    'https://evil.example www.evil.example WWW.evil.example me@evil.example @everyone #1',
  ],
  ['addresses behind marks', '_www.evil.example ~www.evil.example (www.evil.example *www.evil.example'],
  ['emphasis and mathematics of Markdown', '*b* __b__ ~~s~~ $x$ $$y$$ <b>b</b>'],
  ['a heading of Markdown', '# heading'],
  ['a list of Markdown', '1. one'],
  ['a rule of Markdown', '---'],
  ['references', '&lt;script&gt; &#60;script&#62; &amp;amp;'],
  ['a shell', `'; rm -rf / #$(x)`],
  ['words of the builder of XML', 'true'],
  ['a name of an attribute', '@name'],
  ['a name of every object', '__proto__'],
  ['nothing', ''],
  ['megabytes', '<\u001b&'.repeat(LONG / 3)],
];

/** A copy of a report with this text everywhere. Ids have a different end each. */
function spoiled(report: Report, text: string): Report {
  let number = 0;
  const copy = withTexts(report, (field) => (field === 'id' ? `${text.slice(0, 1_000)} ${++number}` : text));
  return { ...copy, requests: { ...copy.requests, byPurpose: Object.fromEntries([[text, 1]]) } };
}

const page = { style: plain, width: Number.POSITIVE_INFINITY, detail: 'usual' as const };
const compared = (report: Report) =>
  compareReports([
    { name: report.because, report: { ...report, requirements: report.requirements.slice(1) } },
    { name: report.because, report },
  ]);

test.each(HOSTILE)('on a terminal or in a log: %s', (_, text) => {
  const report = spoiled(rootCaused, text);
  expectNoCommand(renderReport(report, page));
  expectNoCommand(renderReport(report, { ...page, detail: 'quiet' }));
  expectNoCommand(renderCompareText(compared(report), page));
  for (const exchange of report.exchanges) {
    const line = renderExchangeLine(brief(exchange));
    expectNoCommand(line);
    expect(line).not.toContain('\n');
  }
});

test.each(HOSTILE)('on a terminal that wraps and colors: %s', (_, text) => {
  const style = styleOf({ isTTY: true }, {});
  const wrapped = renderReport(spoiled(rootCaused, text), { ...page, style, width: 60 });
  expectNoCommand(stripVTControlCharacters(wrapped));
  // The escape sequences are petspec's own: bold, dim, red, yellow, green, and their ends.
  const sequences = new Set(
    wrapped
      .split('\u001b')
      .slice(1)
      .map((each) => each.slice(0, each.indexOf('m') + 1)),
  );
  expect(['[1m', '[2m', '[22m', '[31m', '[32m', '[33m', '[39m']).toEqual(
    expect.arrayContaining([...sequences]),
  );
});

test('JUnit XML stays valid with any text', async () => {
  const files = HOSTILE.map(([, text]) => renderJunit(spoiled(rootCaused, text)));
  expect(await junitProblems(...files)).toEqual([]);
});

test.each(HOSTILE)('in JUnit XML: %s', (_, text) => {
  const xml = renderJunit(spoiled(rootCaused, text));
  expectHarmless(xml);
  expect(xml.match(/<testcase /g)).toHaveLength(rootCaused.requirements.length);
  expect(xml.match(/<(failure|skipped|system-out)/g)).toHaveLength(text === '' ? 7 : 9);
  const own = [
    '?xml',
    'failure',
    'properties',
    'property',
    'skipped',
    'system-out',
    'testcase',
    'testsuite',
    'testsuites',
  ];
  expect(elementsOf(xml)).toEqual(own);
});

test.each(HOSTILE)('in CTRF: %s', (_, text) => {
  const ctrf = renderCtrf(spoiled(rootCaused, text));
  expect(validateCtrf(JSON.parse(ctrf))).toMatchObject({ valid: true });
  expectHarmless(ctrf);
});

test.each(HOSTILE)('in SARIF, CSV and what agents read: %s', (_, text) => {
  const report = spoiled(rootCaused, text);
  const sarif = renderSarif(report);
  expectHarmless(sarif);
  expect(JSON.parse(sarif).runs[0].tool.driver.rules).toHaveLength(report.requirements.length);
  const csv = renderCsv(report);
  expectHarmless(csv.replaceAll('\r\n', '\n'));
  expect(csv.split('\r\n')).toHaveLength(report.requirements.length + 2);
  expect(csv).not.toMatch(/(?:^|,)"[=+@-]/m);
  const markdown = renderForAgents(report);
  expectHarmless(markdown);
  expect(htmlOfMarkdown(markdown)).not.toMatch(/<(?:script|img|a) /);
});

test.each(HOSTILE)('in a HAR: %s', (_, text) => {
  const report = spoiled(rootCaused, text);
  const har = JSON.parse([...renderHar(report, () => report.exchanges)].join(''));
  expect(harProblems(har)).toEqual([]);
  // A HAR is data: texts are unchanged, unless they are too long to open.
  const [first] = har.log.entries;
  expect(first.response.content.text).toBe(text.slice(0, 1_000_000));
  expect(first.response.content.size).toBe(Buffer.byteLength(text));
});

test.each(HOSTILE.filter(([what]) => what !== 'megabytes'))('in report.json: %s', (_, text) => {
  const report = spoiled(rootCaused, text);
  const json = JSON.stringify(report, null, 2);
  expect(JSON.parse(json)).toEqual(report);
  expect(/(?!\n)\p{Cc}|\p{Cs}/u.exec(json.replace(/[\u007f-\u009f]/g, ''))).toBeNull();
});

const cellsOf = (html: string) => html.match(/<td/g)?.length;
const harmless = spoiled(rootCaused, 'harmless');

/** What is written as Markdown, and the cells of a harmless report: any other one has as many. */
const IN_MARKDOWN = [
  (report: Report) => renderMarkdown(report),
  (report: Report) => renderCompareMarkdown(compared(report)),
].map((render) => ({ render, cells: cellsOf(htmlOfMarkdown(render(harmless))) }));

test.each(HOSTILE)('in Markdown: %s', (_, text) => {
  const report = spoiled(rootCaused, text);
  for (const { render, cells } of IN_MARKDOWN) {
    const markdown = render(report);
    expectNoCommand(markdown);
    const html = htmlOfMarkdown(markdown);
    expect(MARKDOWN_ELEMENTS).toEqual(expect.arrayContaining(elementsOf(html)));
    // GitHub does not look for mentions in code.
    expect(html.replace(/<code.*?<\/code>/gs, '')).not.toMatch(/@(everyone|evil)/);
    expect(cellsOf(html)).toBe(cells);
  }
});

test.each(HOSTILE)('in annotations of GitHub: %s', (_, text) => {
  const lines = renderAnnotations(spoiled(rootCaused, text)).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expectHarmless(line);
    expect(line).toMatch(/^::(error|warning) title=petspec%3A [^:,\n]*::[^\n]*$/);
  }
});

const USUAL_ELEMENTS = [...elementsOf(renderHtml(rootCaused)), 'span'];
const USUAL_IN_COMPARISON = [...elementsOf(renderCompareHtml(compared(rootCaused))), 'span', 'wbr'];

test.each(HOSTILE)('in HTML: %s', (_, text) => {
  const report = spoiled(rootCaused, text);
  expect(USUAL_ELEMENTS).toEqual(expect.arrayContaining(elementsOf(renderHtml(report))));
  expect(USUAL_IN_COMPARISON).toEqual(
    expect.arrayContaining(elementsOf(renderCompareHtml(compared(report)))),
  );
});

test.each([
  ['terminal', (report: Report) => renderReport(report, page)],
  ['JUnit XML', renderJunit],
  ['CTRF', renderCtrf],
  ['Markdown', (report: Report) => renderMarkdown(report)],
  ['annotations', renderAnnotations],
  ['HTML', renderHtml],
])('megabytes stay bounded: %s', (_, render) => {
  const report = spoiled(rootCaused, 'x'.repeat(MEGABYTES));
  expect(render(report).length).toBeLessThan(1_500_000);
});
