import { expect, test } from 'vitest';
import { handMade } from '../../../test/reports/hand-made-report.ts';
import type { Report } from '../../model/report/report.ts';
import { renderAnnotations } from './github.ts';

test('a violation is an error, an advisory a warning, both escaped for the runner', () => {
  const lines = renderAnnotations({ ...handMade, requirements: handMade.requirements })
    .trimEnd()
    .split('\n');
  expect(lines).toEqual([
    '::error title=petspec%3A listPets.status::the sentence of listPets.status%0Aother animals are in it%0Aexpected: animals with status sold alone%0Areceived: an animal with status "pending"',
    '::warning title=petspec%3A getPet.sunset::the sentence of getPet.sunset%0Ano Sunset header%0Aexpected: Sunset: Thu, 05 Dec 2030 00:00:00 GMT%0Areceived: none',
  ]);
});

test('at most as many as GitHub shows, and the number of the others', () => {
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

test('an incomplete run is a warning, a conformant one has none', () => {
  const incomplete: Report = {
    ...handMade,
    verdict: 'incomplete',
    because: 'the run was interrupted',
    requirements: [],
    hints: [{ kind: 'moved', text: 'it moved', command: 'npx petspec run https://new.example.com' }],
  };
  expect(renderAnnotations(incomplete)).toBe(
    '::warning title=petspec%3A incomplete (nothing judged)::the run was interrupted%0Ahint: it moved: npx petspec run https://new.example.com\n',
  );
  expect(renderAnnotations({ ...handMade, verdict: 'conformant', requirements: [] })).toBe('');
});
