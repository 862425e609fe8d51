import { validate as validateCtrf } from 'ctrf';
import { expect, test } from 'vitest';
import { answered, failed, handMade } from '../../../test/hand-made-report.ts';
import { harProblems, junitProblems } from '../../../test/parsers.ts';
import { sampleRun } from '../../../test/sample-runs.ts';
import type { Report } from '../../model/report/report.ts';
import { renderHtml } from '../html/index.ts';
import { plain } from '../text/style.ts';
import { renderReport } from '../text/terminal.ts';
import { renderForAgents } from './agent.ts';
import { renderCsv } from './csv.ts';
import { renderCtrf } from './ctrf.ts';
import { REPORT_FILES } from './files.ts';
import { REPORT_FORMATS } from './formats.ts';
import { renderAnnotations } from './github.ts';
import { renderHar } from './har.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderSarif } from './sarif.ts';

test('JUnit: one case per requirement, with what readers look for', async () => {
  const xml = renderJunit(handMade);
  expect(await junitProblems(xml)).toEqual([]);
  expect(xml).toContain('<testsuites name="petspec" tests="7" failures="1" errors="0" time="62.000">');
  expect(xml).toContain(
    '<testsuite name="GET /pets (listPets)" tests="4" failures="1" errors="0" skipped="0" time="0" timestamp="2026-11-21T10:00:00">',
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

test('JUnit: the reason of a skipped case is both attribute and content', () => {
  expect(caseOf(renderJunit(handMade), 'createPet.201')).toContain(
    '<skipped message="left out: --read-only">left out: --read-only</skipped>',
  );
});

test('JUnit: advisories and observations pass, with their text', () => {
  const xml = renderJunit(handMade);
  expect(caseOf(xml, 'open.ordering')).toContain('<system-out>by id, ascending</system-out>');
  expect(caseOf(xml, 'getPet.sunset')).toContain('<system-out>advisory\nno Sunset header\n');
  expect(caseOf(xml, 'getPet.sunset')).not.toContain('<failure');
});

/** The element of a requirement's case. */
function caseOf(xml: string, id: string): string {
  const found = xml.split('<testcase ').find((each) => each.includes(`value="${id}"`));
  if (!found) throw new Error(`no case of ${id}`);
  return found.slice(0, found.indexOf('</testcase>'));
}

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

test('CTRF: one test per requirement, with its own status next to the common one', () => {
  const ctrf = JSON.parse(renderCtrf(handMade));
  expect(validateCtrf(ctrf)).toMatchObject({ valid: true });
  expect(ctrf.results.summary).toMatchObject({
    tests: 7,
    passed: 2,
    failed: 1,
    skipped: 2,
    pending: 0,
    other: 2,
    start: Date.UTC(2026, 10, 21, 10, 0, 0, 250),
    stop: Date.UTC(2026, 10, 21, 10, 1, 2, 250),
  });
  const statuses = ctrf.results.tests.map(({ testId, status, rawStatus }: Record<string, string>) => [
    testId,
    status,
    rawStatus,
  ]);
  expect(statuses).toEqual([
    ['listPets.200', 'passed', 'met'],
    ['listPets.limit', 'passed', 'met'],
    ['listPets.status', 'failed', 'violated'],
    ['getPet.sunset', 'other', 'advisory'],
    ['open.ordering', 'other', 'observed'],
    ['createPet.201', 'skipped', 'not-tested'],
    ['getPet.stored', 'skipped', 'not-tested'],
  ]);
});

test('HAR: entries look like those of browsers', () => {
  const har = JSON.parse([...renderHar(handMade, () => [answered, failed])].join(''));
  expect(harProblems(har)).toEqual([]);
  expect(har.log).toMatchObject({ version: '1.2', creator: { name: 'petspec', version: '0.1.0' } });
  const [first, second] = har.log.entries;
  expect(first).toMatchObject({
    startedDateTime: '2026-11-21T10:00:00.250Z',
    time: 50,
    request: {
      method: 'GET',
      url: 'https://staging.example.com/v1/pets?status=sold&limit=2',
      queryString: [
        { name: 'status', value: 'sold' },
        { name: 'limit', value: '2' },
      ],
    },
    response: {
      status: 200,
      content: { size: 45, mimeType: 'application/json', text: '[{"id":9007199254740993,"name":"Мурка"}]' },
    },
    _probe: 'listPets:plain',
  });
  expect(second).toMatchObject({
    request: {
      postData: { mimeType: 'application/json', text: '{"name":"Zoë","categoryId":1}' },
      bodySize: 30,
    },
    response: { status: 0 },
    _error: 'reset: the connection was reset',
  });
  const names = new Set(har.log.entries.flatMap(Object.keys));
  const known = ['startedDateTime', 'time', 'request', 'response', 'cache', 'timings'];
  for (const name of names) expect(known.includes(String(name)) || String(name).startsWith('_')).toBe(true);
});

test('HAR: a run without exchanges is a valid HAR', () => {
  expect(harProblems(JSON.parse([...renderHar(handMade, () => [])].join('')))).toEqual([]);
});

test('HAR: exchanges are read one at a time', () => {
  let asked = 0;
  function* many() {
    for (; asked < 1_000; asked += 1) yield answered;
  }
  const pieces = renderHar(handMade, many);
  pieces.next();
  pieces.next();
  expect(asked).toBeLessThan(2);
});

test('annotations: a violation is an error, an advisory a warning, both escaped for the runner', () => {
  const lines = renderAnnotations({ ...handMade, requirements: handMade.requirements })
    .trimEnd()
    .split('\n');
  expect(lines).toEqual([
    '::error title=petspec%3A listPets.status::the sentence of listPets.status%0Aother animals are in it%0Aexpected: animals with status sold alone%0Areceived: an animal with status "pending"',
    '::warning title=petspec%3A getPet.sunset::the sentence of getPet.sunset%0Ano Sunset header%0Aexpected: Sunset: Thu, 05 Dec 2030 00:00:00 GMT%0Areceived: none',
  ]);
});

test('annotations: at most as many as GitHub shows, and the number of the others', () => {
  const [, , violated] = handMade.requirements;
  const many = Array.from({ length: 30 }, (_, index) => ({ ...violated, id: `r${index}` }));
  const lines = renderAnnotations({ ...handMade, requirements: many } as Report)
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(10);
  expect(lines[9]).toBe(
    `::error title=petspec%3A 21 more::${many
      .slice(9)
      .map(({ id }) => id)
      .join(', ')}`,
  );
});

test('annotations: an incomplete run is a warning, a conformant one has none', () => {
  const incomplete: Report = {
    ...handMade,
    verdict: 'incomplete',
    because: 'the run was interrupted',
    requirements: [],
  };
  expect(renderAnnotations(incomplete)).toBe(
    '::warning title=petspec%3A incomplete::the run was interrupted\n',
  );
  expect(renderAnnotations({ ...handMade, verdict: 'conformant', requirements: [] })).toBe('');
});

test('Markdown: the verdict, the violation with its command, the observations', () => {
  const markdown = renderMarkdown(handMade);
  expect(markdown).toMatch(/^## ❌ petspec: non-conformant \(3 of 5 requirements judged\)\n/);
  expect(markdown).toContain('```sh\ncurl -i -H "Authorization: Bearer $PETSPEC_API_KEY" \'https://staging');
  expect(markdown).toContain('| open.ordering | by id, ascending |');
});

test('every format has the lines of a script and its warning', () => {
  const script = 'id=$(curl one) &&\ncurl -i two/"$id"';
  const requirements = handMade.requirements.map((each) =>
    each.id === 'listPets.status' ? { ...each, reproduce: { script, warning: 'adds a record' } } : each,
  );
  const report: Report = { ...handMade, requirements };
  const page = { style: plain, width: 80, detail: 'usual' } as const;
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

test('Markdown: parts that do not fit are counted', () => {
  const [, , violated] = handMade.requirements;
  const many = Array.from({ length: 3_000 }, (_, index) => ({ ...violated, id: `r${index}` }));
  const markdown = renderMarkdown({ ...handMade, requirements: many } as Report, 50_000);
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(50_000);
  const [, left] = /(\d+) more parts do not fit here/.exec(markdown) ?? [];
  const shown = markdown.match(/^#### /gm)?.length ?? 0;
  expect(Number(left) + shown).toBe(3_000);
});

test('with --strict, advisories are violations in every format', () => {
  const strict: Report = { ...handMade, strict: true };
  expect(renderJunit(strict)).toContain('tests="7" failures="2"');
  expect(JSON.parse(renderCtrf(strict)).results.summary).toMatchObject({ failed: 2, other: 1 });
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

test('SARIF: a rule for each requirement, a result for each violation and advisory, with the request and the place', () => {
  const { version, runs } = JSON.parse(renderSarif(handMade));
  expect(version).toBe('2.1.0');
  const [{ tool, results, invocations }] = runs;
  expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(
    handMade.requirements.map(({ id }) => id),
  );
  expect(invocations).toMatchObject([{ executionSuccessful: true }]);
  expect(results).toMatchObject([
    {
      ruleId: 'listPets.status',
      level: 'error',
      message: {
        text: expect.stringMatching(/^other animals are in it\nexpected: animals with status sold alone\n/),
      },
      locations: [{ physicalLocation: { artifactLocation: { uri: answered.url } } }],
      webRequest: { method: 'GET', target: answered.url },
      webResponse: { statusCode: 200 },
      properties: { reproduce: expect.stringContaining('curl') },
    },
    { ruleId: 'getPet.sunset', level: 'warning' },
  ]);
});

test('CSV: a line for each requirement, and no field that a spreadsheet calculates', () => {
  const [first, second] = handMade.requirements;
  if (!first || !second) throw new Error('no requirements');
  const text = renderCsv({
    ...handMade,
    requirements: [
      { ...first, reason: '=HYPERLINK("http://evil.invalid")' },
      { ...second, reason: 'one "two", three' },
    ],
  });
  const lines = text.split('\r\n');
  expect(lines[0]).toBe(
    '"id","level","section","operation","status","exercised","reason","expected","received"',
  );
  expect(lines[1]).toContain('"\'=HYPERLINK(""http://evil.invalid"")"');
  expect(lines[2]).toContain('"one ""two"", three"');
  expect(lines).toHaveLength(4);
});

test('for agents: each violation with its sentence, exchange, reproduction, and what to change', () => {
  const [violated] = handMade.requirements.filter(({ status }) => status === 'violated');
  const requirements = handMade.requirements.map((each) =>
    each === violated ? { ...each, kind: 'meaning' as const, variation: ['text:quotes'] } : each,
  );
  const text = renderForAgents({ ...handMade, requirements });
  expect(text).toMatch(/^# petspec: non-conformant/);
  expect(text.match(/^## /gm)).toHaveLength(1);
  expect(text).toContain(
    '## `listPets.status`\n\nInterface (GET /pets (listPets)): the sentence of listPets.status',
  );
  expect(text).toContain('Only with: `text:quotes`');
  expect(text).toContain(`\`\`\`http\nGET ${answered.url}\n\n200\nContent-Type: application/json\n`);
  expect(text).toContain('```sh\ncurl -i ');
  expect(text).toContain('Change: Correct what the service computes or stores');
});
