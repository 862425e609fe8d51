import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import { junitProblems } from '../../test/reports/parsers.ts';
import { contract, type Sample, sampleRun } from '../../test/reports/sample-runs.ts';
import { exitStatusOf, type Report } from '../model/report/report.ts';
import { reportProblem } from '../model/report/report-schema.ts';
import { renderCtrf } from '../report/formats/ctrf.ts';
import { renderAnnotations } from '../report/formats/github.ts';
import { renderJunit } from '../report/formats/junit.ts';
import { renderMarkdown } from '../report/formats/markdown.ts';
import { renderHtml } from '../report/html/index.ts';
import { renderReport } from '../report/text/terminal.ts';
import { DEFAULT_OPTIONS, ofBundled } from '../run/options.ts';
import { makePlan } from '../run/plan.ts';
import { TODO_COMMENT, withBaseline } from './baseline.ts';
import { readBaseline, renderBaseline } from './baseline-file.ts';

// Whole runs take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const FILE = 'known.yaml';
const names = {
  requirements: contract.requirements.map(({ id }) => id),
  operations: contract.operations.map(({ id }) => id),
};
const read = (text: string) => readBaseline(FILE, text, names);

async function run(sample: Sample): Promise<Report> {
  return (await sampleRun(sample)).report;
}

const planOf = ({ options }: Sample) =>
  makePlan(contract, allChecks(contract), ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, ...options }));

/** The baseline that a run writes. */
async function writtenBy(sample: Sample, earlier?: string): Promise<string> {
  const known = earlier === undefined ? undefined : read(earlier);
  const report = known ? withBaseline(await run(sample), known, planOf(sample)) : await run(sample);
  return renderBaseline(report, planOf(sample), known);
}

/** Another run, compared with a baseline. */
async function compared(text: string, sample: Sample): Promise<Report> {
  return withBaseline(await run(sample), read(text), planOf(sample));
}

/** A field of a refusal, a list, a figure that the limiter tells. */
const FAULTS = ['error-code-missing', 'list-one-too-many', 'remaining-above'];
const REPAIRED = FAULTS.filter((id) => id !== 'list-one-too-many');
const REQUIREMENTS = ['Error.code', 'listPets.limit', 'rate-limit.remaining'];
const written = writtenBy({ faults: FAULTS });

test('the same violations in another run: exact, 0, and still non-conformant', async () => {
  const report = await compared(await written, { faults: FAULTS });
  expect(report.baseline).toMatchObject({
    file: FILE,
    outcome: 'exact',
    stale: [],
    unknown: [],
    unjudged: [],
  });
  expect(report.baseline?.known.map(({ requirement }) => requirement).sort()).toEqual(REQUIREMENTS);
  expect(report.verdict).toBe('non-conformant');
  expect(exitStatusOf(report)).toBe(0);
  expect(reportProblem(JSON.parse(JSON.stringify(report)))).toBeUndefined();
});

test('where another seed shows another cause of the same responses, the violation is known, and waived with its reason', async () => {
  const sample = (seed: number) => ({ faults: ['list-public'], options: { seed, concurrency: 1 } });
  const text = (await writtenBy(sample(0))).replace(/comment: .*/, 'waived: lists are public');
  expect(text).toContain('requirement: Unauthorized');
  const report = await compared(text, sample(1));
  expect(report.baseline).toMatchObject({ unknown: [], stale: [], unjudged: [] });
  expect(report.baseline?.known.map(({ requirement }) => requirement)).toEqual(['Unauthorized']);
  const waived = report.requirements.filter((each) => each.waived !== undefined);
  expect(waived).toMatchObject([
    { id: 'authentication.first', status: 'violated', waived: 'lists are public' },
  ]);
});

test('a baseline names no request of the run', async () => {
  const text = await writtenBy({ faults: [...FAULTS, 'create-name-no-tags'], options: { seed: 3 } });
  expect(text).toContain('createPet 201');
  expect(text).not.toMatch(/:(minimal|full|further|key)|variation/);
});

test('a run that finds only a part of what is known finds nothing new', async () => {
  const text = await writtenBy({ faults: ['error-code-number'] });
  const report = await compared(text, {
    faults: ['error-code-number'],
    options: { only: ['listPets.*', 'Error.code'] },
  });
  expect(report.baseline).toMatchObject({ unknown: [], stale: [] });
});

test('what is known fails no reader of reports, and says why', async () => {
  const text = (await written).replaceAll(TODO_COMMENT, 'Ticket 12');
  const report = await compared(text, { faults: FAULTS });
  expect(renderJunit(report)).toMatch(/<testsuites [^>]*failures="0"/);
  expect(renderJunit(report)).toContain('<skipped message="known violation: Ticket 12"');
  expect(await junitProblems(renderJunit(report))).toEqual([]);
  expect(JSON.parse(renderCtrf(report)).results.summary).toMatchObject({ failed: 0 });
  expect(renderAnnotations(report)).not.toContain('::error');
  expect(renderAnnotations(report)).toContain('::warning title=petspec%3A Error.code::');
  const better = await compared(text, { faults: REPAIRED });
  expect(renderAnnotations(better)).toMatch(/^::error title=petspec%3A baseline::.*delete this entry/);
});

test('what is written asks for comments, and keeps those that there were', async () => {
  const text = await written;
  expect(text.split(TODO_COMMENT)).toHaveLength(FAULTS.length + 1);
  expect(text).toMatch(/# expected at most \d+ animals, received \d+ animals/);
  const commented = text.replace(TODO_COMMENT, 'Ticket 12: until the next release');
  const again = await writtenBy({ faults: FAULTS }, commented);
  expect(again).toBe(commented);
});

test.each([
  ['of another requirement', [...FAULTS, 'create-200-sold'], ['createPet.201'], []],
  ['of the same requirement elsewhere', [...FAULTS, 'error-code-null'], ['Error.code'], ['Error.code']],
  ['of the limiter, in another way', [...FAULTS, '429-code-missing'], ['Error.code'], ['Error.code']],
])('a violation that it does not know, %s: 1', async (_, faults, unknown, stale) => {
  const report = await compared(await written, { faults });
  expect(report.baseline).toMatchObject({ outcome: 'different', unknown });
  expect(report.baseline?.stale.map(({ requirement }) => requirement)).toEqual(stale);
  expect(exitStatusOf(report)).toBe(1);
});

test.each([
  ['kind', 'kind: shape', 'kind: json'],
  ['place in the body', 'pointer: /code', 'pointer: /message'],
  ['response', 'listPets 401', 'listPets 200'],
  ['operation', 'listPets 401', 'getPet 401'],
])('the same requirement, but at another %s: 1', async (_, from, to) => {
  const known = await writtenBy({ faults: ['error-code-number'] });
  const other = known.replaceAll(from, to);
  expect(other).not.toBe(known);
  const report = await compared(other, { faults: ['error-code-number'] });
  expect(report.baseline).toMatchObject({ outcome: 'different', unknown: ['Error.code'] });
});

test.each([
  ['the record of the field', 'pointer: "/#"', 'exact'],
  ['another field', 'pointer: "/#/id"', 'different'],
  ['a field with a longer name', 'pointer: "/#/na"', 'different'],
])('a value that contradicts another response, known at %s', async (_, pointer, outcome) => {
  const sample = { faults: ['list-ids-of-rows'], options: { seed: 3, concurrency: 1 } };
  const known = await writtenBy(sample);
  const other = known.replaceAll(/pointer: .*/g, pointer);
  expect(other).not.toBe(known);
  expect((await compared(other, sample)).baseline).toMatchObject({ outcome });
});

test('a failure at any operation is known where one operation has it', async () => {
  const sample = { faults: ['json-every-fifth'] };
  const known = (await writtenBy(sample)).replace('any operation', 'listPets 200');
  expect(known).toContain('[ listPets 200 ]');
  expect((await compared(known, sample)).baseline?.outcome).toBe('exact');
});

test('the words of a baseline decide nothing', async () => {
  const reworded = (await written).replaceAll(/what: .*/g, 'what: in other words');
  expect((await compared(reworded, { faults: FAULTS })).baseline?.outcome).toBe('exact');
  const without = (await written).replaceAll(/what: .*\n\s*/g, '');
  expect(without).not.toContain('what:');
  expect((await compared(without, { faults: FAULTS })).baseline?.outcome).toBe('exact');
});

describe('a baseline of before the kinds', () => {
  const old = readFileSync(
    new URL('../../test/data/0.2.0-before-rewording/baseline.yaml', import.meta.url),
    'utf8',
  );

  test('knows the same violations, whatever the words', async () => {
    expect(old).not.toContain('kind:');
    for (const text of [old, old.replaceAll(/what: .*/g, 'what: in other words')]) {
      const report = await compared(text, { faults: FAULTS });
      expect(report.baseline).toMatchObject({ outcome: 'exact', unknown: [], stale: [] });
      expect(exitStatusOf(report)).toBe(0);
    }
  });

  test.each([
    ['of another requirement', [...FAULTS, 'create-200-sold'], ['createPet.201']],
    ['of the same requirement elsewhere', [...FAULTS, 'error-code-null'], ['Error.code']],
    ['of a refusal by the limit', [...FAULTS, '429-code-missing'], ['Error.code']],
  ])('does not know a violation %s', async (_, faults, unknown) => {
    const report = await compared(old, { faults });
    expect(report.baseline).toMatchObject({ outcome: 'different', unknown });
    expect(exitStatusOf(report)).toBe(1);
  });

  test('becomes a new one, and keeps its comments', async () => {
    const commented = old.replace(TODO_COMMENT, 'Ticket 12');
    const again = await writtenBy({ faults: FAULTS }, commented);
    expect(again).toMatch(/kind: shape/);
    expect(again).toContain('comment: Ticket 12');
  });
});

test('an entry that no longer holds: 1, and the lines to delete; without them, exact', async () => {
  const text = await written;
  const report = await compared(text, { faults: REPAIRED });
  expect(report.baseline).toMatchObject({ outcome: 'different', unknown: [] });
  expect(exitStatusOf(report)).toBe(1);
  const [stale] = report.baseline?.stale ?? [];
  if (!stale) throw new Error('nothing is stale');
  expect(stale.requirement).toBe('listPets.limit');
  const words = `${FILE} lines ${stale.line} to ${stale.lastLine}: delete this entry: listPets.limit is no longer violated`;
  const page = { style: (_: unknown, each: string) => each, width: Number.POSITIVE_INFINITY } as const;
  expect(renderReport(report, { ...page, detail: 'usual' })).toContain(words);
  expect(renderReport(report, { ...page, detail: 'quiet' })).toContain(words);
  expect(renderHtml(report)).toContain(words);
  expect(renderMarkdown(report)).toContain('listPets.limit is no longer violated');
  const left = text.split('\n').filter((_, index) => index + 1 < stale.line || index + 1 > stale.lastLine);
  const again = await compared(left.join('\n'), { faults: REPAIRED });
  expect(again.baseline?.outcome).toBe('exact');
});

describe('an entry that another run cannot show', () => {
  const RARE = 'name-backticks-quoted';
  const SHOWN = { faults: [RARE], options: { seed: 1 } };
  const HIDDEN = { faults: [RARE], options: { seed: 2 } };

  test('is neither a violation nor stale: 0, and it says so', async () => {
    const report = await compared(await writtenBy(SHOWN), HIDDEN);
    expect(report.verdict).toBe('conformant');
    expect(report.baseline).toMatchObject({ outcome: 'exact', known: [], stale: [] });
    expect(report.baseline?.unjudged).toMatchObject([{ requirement: 'createPet.echo' }]);
    expect(exitStatusOf(report)).toBe(0);
    const text = renderReport(report, {
      style: (_, each) => each,
      width: Number.POSITIVE_INFINITY,
      detail: 'usual',
    });
    expect(text).toMatch(
      /not seen in this run, which may not show it: createPet\.echo \(known\.yaml lines \d+ to \d+\)/,
    );
  });

  test('stays in a baseline that such a run writes, which then fails for no entry', async () => {
    const shown = (await writtenBy(SHOWN)).replace(TODO_COMMENT, 'Ticket 12');
    const both = { ...HIDDEN, faults: [RARE, 'list-one-too-many'] };
    const text = await writtenBy(both, shown);
    expect(read(text)).toMatchObject({
      entries: [{ requirement: 'listPets.limit' }, { requirement: 'createPet.echo', comment: 'Ticket 12' }],
    });
    expect(read(text).requests).toBeUndefined();
    for (const sample of [SHOWN, HIDDEN, both])
      expect((await compared(text, sample)).baseline).toMatchObject({ outcome: 'exact' });
  });
});

describe('an entry that is waived', () => {
  const REASON = 'The board takes 101 <animals> to be a page';
  const sample = { faults: ['list-one-too-many'] };
  const waived = writtenBy(sample).then((text) =>
    text.replace(`comment: "${TODO_COMMENT}"`, `waived: ${REASON}`),
  );

  test('exits with 0, and is a violation all the same', async () => {
    const report = await compared(await waived, sample);
    expect(report).toMatchObject({ verdict: 'non-conformant', baseline: { outcome: 'exact' } });
    expect(report.requirements.filter((each) => each.waived !== undefined)).toMatchObject([
      { id: 'listPets.limit', status: 'violated', waived: REASON },
    ]);
    expect(exitStatusOf(report)).toBe(0);
    expect(reportProblem(JSON.parse(JSON.stringify(report)))).toBeUndefined();
  });

  test('says so and why in every format', async () => {
    const report = await compared(await waived, sample);
    const page = { style: (_: unknown, each: string) => each, width: Number.POSITIVE_INFINITY } as const;
    const text = renderReport(report, { ...page, detail: 'usual' });
    expect(text).toContain('Violations: 1 known (1 waived)');
    expect(text).toContain(`; waived: ${REASON}\n`);
    expect(renderReport(report, { ...page, detail: 'verbose' })).toMatch(
      new RegExp(`^ +waived +${REASON}$`, 'm'),
    );
    expect(text).toMatch(/^non-conformant: /m);
    expect(renderHtml(report)).toContain('Waived: The board takes 101 &lt;animals&gt; to be a page.');
    expect(renderMarkdown(report)).toMatch(/^## ❌ petspec: non-conformant\n[\s\S]*waived/);
    expect(renderAnnotations(report)).toMatch(
      /::warning title=petspec%3A listPets\.limit::.*waived: The board/,
    );
    expect(renderJunit(report)).toContain(
      '<skipped message="waived: The board takes 101 &lt;animals&gt; to be a page"',
    );
    expect(await junitProblems(renderJunit(report))).toEqual([]);
    const { results } = JSON.parse(renderCtrf(report));
    expect(results.tests).toContainEqual(
      expect.objectContaining({
        testId: 'listPets.limit',
        status: 'other',
        extra: expect.objectContaining({ waived: REASON }),
      }),
    );
  });

  test('waives nothing else of the same requirement, and keeps its reason when it is written again', async () => {
    const text = await waived;
    const elsewhere = await compared(text.replace('listPets 200', 'listPets 401'), sample);
    expect(elsewhere.baseline).toMatchObject({ outcome: 'different', unknown: ['listPets.limit'] });
    expect(elsewhere.requirements.some((each) => each.waived !== undefined)).toBe(false);
    expect(await writtenBy(sample, text)).toBe(text);
  });
});

test('a conformant run whose baseline no longer holds: nothing says that all is well', async () => {
  const text = await writtenBy({ faults: ['list-one-too-many'] });
  const report = await compared(text, {});
  expect([report.verdict, exitStatusOf(report)]).toEqual(['conformant', 1]);
  expect(renderMarkdown(report)).toMatch(/^## ⚠️ petspec: conformant\n/);
  expect(renderHtml(report)).toContain('<header class="verdict advisory">');
  expect(renderHtml(report)).toContain('delete this entry: listPets.limit is no longer violated');
  const exact = await compared('violations: []', {});
  expect(renderMarkdown(exact)).toMatch(/^## ✅ petspec: conformant\n/);
  expect(renderHtml(exact)).toContain('<header class="verdict met">');
});

test('a narrowed run compares what it looks at', async () => {
  const text = await writtenBy({ faults: ['error-code-number', 'create-200-sold'] });
  const report = await compared(text, {
    faults: ['error-code-number', 'create-200-sold'],
    options: { readOnly: true, exhaust: 'none' },
  });
  expect(report.baseline).toMatchObject({ outcome: 'exact', unknown: [], stale: [] });
  expect(report.baseline?.unjudged.map(({ requirement }) => requirement)).toEqual(['createPet.201']);
});

test('a run that was interrupted never ends with 0', async () => {
  const early = await compared('violations: []', { interruptAfter: 1 });
  expect(early.verdict).toBe('incomplete');
  expect(exitStatusOf(early)).toBe(3);
  const text = await writtenBy({ faults: ['list-one-too-many'], interruptAfter: 30 });
  const late = await compared(text, { faults: ['list-one-too-many'], interruptAfter: 30 });
  expect(late).toMatchObject({ verdict: 'non-conformant', baseline: { outcome: 'incomplete' } });
  expect(exitStatusOf(late)).toBe(3);
});

test('a run that judged nothing that binds the service never ends with 0', async () => {
  const open = await compared('violations: []', { options: { only: ['open.*'] } });
  expect([open.verdict, exitStatusOf(open)]).toEqual(['incomplete', 3]);
  const sample = { faults: ['fetch-sunset-iso'], options: { only: ['getPet.sunset'], strict: true } };
  const advice = await compared(await writtenBy(sample), sample);
  expect(advice).toMatchObject({
    verdict: 'non-conformant',
    baseline: { outcome: 'incomplete', unknown: [] },
  });
  expect(exitStatusOf(advice)).toBe(3);
});

test('a run of a conformant service with an empty baseline: 0', async () => {
  const text = await writtenBy({});
  const report = await compared(text, {});
  expect(report).toMatchObject({ verdict: 'conformant', baseline: { outcome: 'exact', known: [] } });
  expect(exitStatusOf(report)).toBe(0);
});

test('advice counts where it is strict', async () => {
  const sample = { faults: ['fetch-sunset-iso'], options: { strict: true } };
  const text = await writtenBy(sample);
  expect((await compared(text, sample)).baseline).toMatchObject({
    outcome: 'exact',
    known: [{ requirement: 'getPet.sunset' }],
  });
  expect((await compared(text, { faults: ['fetch-sunset-iso'] })).baseline?.outcome).toBe('different');
});

test('once its last entry is deleted, a baseline is one that knows nothing', async () => {
  const text = await writtenBy({ faults: ['list-one-too-many'] });
  const [stale] = (await compared(text, {})).baseline?.stale ?? [];
  if (!stale) throw new Error('nothing is stale');
  const left = text.split('\n').filter((_, index) => index + 1 < stale.line || index + 1 > stale.lastLine);
  expect(left.join('\n')).toMatch(/^violations:\s*$/m);
  expect((await compared(left.join('\n'), {})).baseline).toMatchObject({ outcome: 'exact', known: [] });
});
