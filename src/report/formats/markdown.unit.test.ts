import { expect, test } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import type { Report } from '../../model/report/report.ts';
import { renderMarkdown } from './markdown.ts';
import { code } from './markdown-text.ts';

test('the verdict, the violation with its command, the observations', () => {
  const markdown = renderMarkdown(handMade);
  expect(markdown).toMatch(/^## ❌ petspec: non-conformant \(3 of 5 requirements judged\)\n/);
  expect(markdown).toContain('```sh\ncurl -i -H "Authorization: Bearer $PETSPEC_API_KEY" \'https://staging');
  expect(markdown).toContain('| open.ordering | by id, ascending |');
});

test('parts that do not fit are counted', () => {
  const [, , violated] = handMade.requirements;
  const many = Array.from({ length: 3_000 }, (_, index) => ({ ...violated, id: `r${index}` }));
  const markdown = renderMarkdown({ ...handMade, requirements: many } as Report, 50_000);
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(50_000);
  const [, left] = /(\d+) more parts do not fit here/.exec(markdown) ?? [];
  const shown = markdown.match(/^#### /gm)?.length ?? 0;
  expect(Number(left) + shown).toBe(3_000);
  const whole = renderMarkdown(handMade);
  expect(renderMarkdown(handMade, Buffer.byteLength(whole))).toBe(whole);
  const cut = renderMarkdown(handMade, Buffer.byteLength(whole) - 1);
  expect(cut).toContain('\n1 more part does not fit here;');
  expect(Buffer.byteLength(cut)).toBeLessThan(Buffer.byteLength(whole));
});

test('code may have more runs of backticks than a function takes arguments', () => {
  expect(code(`${'`a'.repeat(150_000)}\`\``)).toMatch(/^``` `a.*`` ```$/);
});
