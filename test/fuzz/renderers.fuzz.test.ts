import { stripVTControlCharacters } from 'node:util';
import { validate as validateCtrf } from 'ctrf';
import fc from 'fast-check';
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { brief } from '../../src/model/exchange.ts';
import type { Report } from '../../src/model/report/report.ts';
import { compareReports } from '../../src/report/compare/compare.ts';
import { renderCompareHtml } from '../../src/report/compare/compare-html.ts';
import { renderCompareMarkdown, renderCompareText } from '../../src/report/compare/compare-text.ts';
import { renderCtrf } from '../../src/report/formats/ctrf.ts';
import { renderAnnotations } from '../../src/report/formats/github.ts';
import { renderHar } from '../../src/report/formats/har.ts';
import { renderJunit } from '../../src/report/formats/junit.ts';
import { renderMarkdown } from '../../src/report/formats/markdown.ts';
import { renderHtml } from '../../src/report/html/index.ts';
import { renderExchangeLine } from '../../src/report/text/explain.ts';
import { plain, styleOf } from '../../src/report/text/style.ts';
import { renderReport } from '../../src/report/text/terminal.ts';
import { rootCaused } from '../reports/hand-made-report.ts';
import {
  elementsOf,
  harProblems,
  htmlOfMarkdown,
  junitProblems,
  MARKDOWN_ELEMENTS,
} from '../reports/parsers.ts';
import { DANGEROUS, expectNoCommand } from '../reports/spoiled-reports.ts';
import { cases, PATIENCE } from './budget.ts';
import { hostileReport } from './reports.ts';

const page = { style: plain, width: Number.POSITIVE_INFINITY, detail: 'usual' as const };
const compared = (report: Report) =>
  compareReports([
    { name: report.because, report: { ...report, requirements: report.requirements.slice(1) } },
    { name: report.target.baseUrl, report },
  ]);

function forAnyReport(runs: number, holds: (report: Report) => void): () => void {
  return () => fc.assert(fc.property(hostileReport, holds), cases(runs));
}

test(
  'on a terminal: no control sequence, no command of a runner',
  forAnyReport(100, (report) => {
    for (const detail of ['usual', 'quiet'] as const) {
      expectNoCommand(renderReport(report, { ...page, detail }));
      const style = styleOf({ isTTY: true }, {});
      expectNoCommand(stripVTControlCharacters(renderReport(report, { style, width: 40, detail })));
    }
    expectNoCommand(renderCompareText(compared(report), page));
    for (const exchange of report.exchanges)
      expect(renderExchangeLine(brief(exchange)).split('\n')).toHaveLength(1);
  }),
  PATIENCE,
);

test(
  'annotations: a command each, and no other',
  forAnyReport(200, (report) => {
    for (const line of renderAnnotations(report).split('\n').slice(0, -1)) {
      expect(DANGEROUS.exec(line)).toBeNull();
      expect(line).toMatch(/^::(error|warning|notice) title=petspec%3A [^:,\n]*::[^\n]*$/);
      expect(line).not.toContain('##[');
    }
  }),
  PATIENCE,
);

test(
  'JUnit XML: what its schema says, by libxml2',
  async () => {
    // One call of the validator costs more than a file: they are collected.
    const files: string[] = [];
    fc.assert(
      fc.property(hostileReport, (report) => {
        const xml = renderJunit(report);
        expect(DANGEROUS.exec(xml)).toBeNull();
        expect(xml.match(/<testcase /g)).toHaveLength(rootCaused.requirements.length);
        files.push(xml);
      }),
      cases(100),
    );
    for (let from = 0; from < files.length; from += 100)
      expect(await junitProblems(...files.slice(from, from + 100))).toEqual([]);
  },
  PATIENCE,
);

test(
  'JSON: CTRF and HAR, as their schemas say',
  forAnyReport(15, (report) => {
    const ctrf = renderCtrf(report);
    expect(DANGEROUS.exec(ctrf)).toBeNull();
    expect(validateCtrf(JSON.parse(ctrf))).toMatchObject({ valid: true });
    expect(harProblems(JSON.parse([...renderHar(report, () => report.exchanges)].join('')))).toEqual([]);
  }),
  PATIENCE,
);

test(
  'Markdown: no element, link or row that is not its own',
  forAnyReport(40, (report) => {
    for (const [render, of] of [
      [renderMarkdown, (each: Report) => each],
      [renderCompareMarkdown, compared],
    ] as const) {
      const markdown = render(of(report) as never);
      expectNoCommand(markdown);
      const html = htmlOfMarkdown(markdown);
      expect(MARKDOWN_ELEMENTS).toEqual(expect.arrayContaining(elementsOf(html)));
      expect(html.replace(/<code.*?<\/code>/gs, '')).not.toMatch(/@(everyone|evil)/);
    }
  }),
  PATIENCE,
);

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
});

test(
  'HTML: no element and no attribute that is not its own, and no character that is not seen',
  forAnyReport(40, (report) => {
    for (const [made, usual] of [
      [renderHtml(report), renderHtml(rootCaused)],
      [renderCompareHtml(compared(report)), renderCompareHtml(compared(rootCaused))],
    ] as const) {
      expect([...elementsOf(usual), 'span', 'mark', 'svg', 'use']).toEqual(
        expect.arrayContaining(elementsOf(made)),
      );
      expect(made).not.toMatch(/<[^>]* (?:style|on\w+)=/);
      expect(made).not.toMatch(/<[^>]* (?:src|href)="(?!#)/);
      expect(made.match(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/gu)).toBeNull();
    }
  }),
  PATIENCE,
);

test(
  'HTML: well-formed and valid, by html-validate',
  async () => {
    await fc.assert(
      fc.asyncProperty(hostileReport, async (report) => {
        for (const made of [renderHtml(report), renderCompareHtml(compared(report))]) {
          const { results } = await validator.validateString(made);
          expect(
            results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
          ).toEqual([]);
        }
      }),
      cases(4),
    );
  },
  PATIENCE,
);
