import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { handMade } from '../../../../test/reports/hand-made-report.ts';
import { packageRoot } from '../../../model/package-root.ts';
import { renderHtml } from '../index.ts';
import { GLOSSARY } from './contents.ts';

test('docs/glossary.md explains the same words with the same sentences', () => {
  const entries = readFileSync(join(packageRoot, 'docs', 'glossary.md'), 'utf8').match(/^- .*$/gm);
  expect(entries).toEqual(GLOSSARY.map(({ word, meaning }) => `- **${word}**: ${meaning}`));
});

test('the page explains every word, and its summary links to them', () => {
  const page = renderHtml({ ...handMade, verdict: 'incomplete' });
  const text = page.replace(/<[^>]*>/g, '');
  for (const { key, meaning } of GLOSSARY) {
    expect(page).toContain(`id="word-${key}"`);
    expect(text).toContain(meaning.replaceAll('`', ''));
  }
  const linked = new Set([...page.matchAll(/href="#word-([^"]*)"/g)].map(([, key]) => key));
  expect(linked).toEqual(
    new Set([
      'violated',
      'advisory',
      'not-tested',
      'unexercised',
      'met',
      'observed',
      'observation',
      'narrowed',
      'incomplete',
    ]),
  );
});
