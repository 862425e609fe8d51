import { validate as validateCtrf } from 'ctrf';
import { expect, test } from 'vitest';
import { answered, failed, handMade } from '../../../test/reports/hand-made-report.ts';
import { harProblems, junitProblems } from '../../../test/reports/parsers.ts';
import { sampleRun } from '../../../test/reports/sample-runs.ts';
import type { Report } from '../../model/report/report.ts';
import { renderForAgents } from '../formats/agent.ts';
import { renderCsv } from '../formats/csv.ts';
import { renderCtrf } from '../formats/ctrf.ts';
import { renderAnnotations } from '../formats/github.ts';
import { renderHar } from '../formats/har.ts';
import { renderJunit } from '../formats/junit.ts';
import { renderMarkdown } from '../formats/markdown.ts';
import { renderSarif } from '../formats/sarif.ts';
import { renderHtml } from '../html/index.ts';
import { plain } from '../text/style.ts';
import { renderReport } from '../text/terminal.ts';
import { REPORT_FILES, REPORT_FORMATS } from './formats.ts';

test.each([
  ['a conformant run', {}],
  ['a broken service', { faults: ['list-one-too-many'] }],
  ['an interrupted run', { interruptAfter: 9 }],
])('JUnit, CTRF and HAR of %s are valid', async (_, sample) => {
  const { report, exchanges } = await sampleRun(sample);
  expect(await junitProblems(renderJunit(report))).toEqual([]);
  expect(validateCtrf(JSON.parse(renderCtrf(report)))).toMatchObject({ valid: true });
  const har = JSON.parse([...renderHar(report, () => exchanges)].join(''));
  expect(harProblems(har)).toEqual([]);
  expect(har.log.entries).toHaveLength(exchanges.length);
});

test('every format has the lines of a script and its warning', () => {
  const script = 'id=$(curl one) &&\ncurl -i two/"$id"';
  const requirements = handMade.requirements.map((each) =>
    each.id === 'listPets.status' ? { ...each, reproduce: { script, warning: 'adds a record' } } : each,
  );
  const report: Report = { ...handMade, requirements };
  const page = { style: plain, width: 80, detail: 'verbose' } as const;
  const indented = script.replace(/^/gm, '      ');
  expect(renderReport(report, page)).toContain(`reproduce in bash with (adds a record):\n${indented}\n`);
  expect(renderMarkdown(report)).toContain(`Running this adds a record.\n\n\`\`\`bash\n${script}\n\`\`\`\n`);
  const escaped = script.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  expect(renderJunit(report)).toContain(`warning: adds a record\nreproduce: \n${escaped}`);
  expect(renderHtml(report)).toMatch(/<p class="remark">Running this adds a record\.<\/p>/);
  expect(renderHtml(report)).toContain(`-curl">${escaped}</code>`);
  const tests: { testId: string; extra: object }[] = JSON.parse(renderCtrf(report)).results.tests;
  expect(tests.find(({ testId }) => testId === 'listPets.status')?.extra).toMatchObject({
    reproduce: { script, warning: 'adds a record' },
  });
  const [{ results }] = JSON.parse(renderSarif(report)).runs;
  expect(results).toContainEqual(
    expect.objectContaining({ properties: { reproduce: script, warning: 'adds a record' } }),
  );
  expect(renderForAgents(report)).toContain(`Running this adds a record.\n\n\`\`\`bash\n${script}\n\`\`\`\n`);
});

test('every format says in which operation and status a violation occurs, and how often', () => {
  const occurrences = [
    { operation: 'createPet', request: 'POST /pets', status: 201, deviating: 1, of: 9 },
    { operation: 'listPets', request: 'GET /pets', failure: 'timeout', deviating: 2, of: 2 },
  ] as const;
  const requirements = handMade.requirements.map((each) =>
    each.status === 'violated' ? { ...each, occurrences } : each,
  );
  const report: Report = { ...handMade, requirements };
  const line = 'POST /pets -> 201, 1 of 9; GET /pets -> timeout, 2 of 2';
  const texts = {
    text: renderReport(report, { style: plain, width: Number.POSITIVE_INFINITY, detail: 'usual' }),
    markdown: renderMarkdown(report),
    html: renderHtml(report),
    junit: renderJunit(report),
    ctrf: renderCtrf(report),
    sarif: renderSarif(report),
    annotations: renderAnnotations(report),
    agent: renderForAgents(report),
    csv: renderCsv(report),
  };
  const lacking = Object.entries(texts).filter(([, text]) => !text.replaceAll('&gt;', '>').includes(line));
  expect(lacking.map(([name]) => name)).toEqual([]);
});

test('a CI runner takes no line of a script for a command', () => {
  const [, , violated] = handMade.requirements;
  const reproduce = { script: 'curl x\n::error::owned\n##[error]owned\u001b[2J' };
  const report = { ...handMade, requirements: [{ ...violated, reproduce }] } as Report;
  for (const text of [
    renderMarkdown(report),
    renderReport(report, { style: plain, width: 80, detail: 'usual' }),
  ])
    expect([text.includes('\u001b'), /^\s*::|##\[/m.test(text)]).toEqual([false, false]);
});

test('with --strict, advisories are violations in every format', () => {
  const strict: Report = { ...handMade, strict: true };
  expect(renderJunit(strict)).toContain('tests="7" failures="2"');
  expect(JSON.parse(renderCtrf(strict)).results.summary).toMatchObject({ failed: 2, other: 0 });
  expect(renderAnnotations(strict).match(/^::error/gm)).toHaveLength(2);
  expect(renderMarkdown(strict)).toContain('### Violated (2)');
});

test.each(Object.entries(REPORT_FORMATS))(
  '%s is registered with its own file and renderer',
  async (_, { file, load }) => {
    const text = [...(await load())(handMade, () => [answered, failed])].join('');
    expect(text.length).toBeGreaterThan(100);
    expect(Object.values(REPORT_FILES).filter((each) => each === file)).toHaveLength(1);
  },
);
