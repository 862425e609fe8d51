import { readAsset } from '../markup/assets.ts';
import type { ShownStatus } from '../markup/labels.ts';
import { type Html, html, type TemplateValue, worded } from '../markup/markup.ts';

/** A word of the results, explained. */
interface GlossaryEntry {
  /** In anchors. */
  key: ShownStatus | 'observation' | 'narrowed' | 'incomplete';
  word: string;
  /** Names of options and levels are between backticks. */
  meaning: string;
}

/** The words of the results. docs/glossary.md has the same sentences. */
export const GLOSSARY: readonly GlossaryEntry[] = JSON.parse(readAsset('glossary.json'));

/** A word of the results with a link to what it means. */
export function explained(key: GlossaryEntry['key'], word: TemplateValue): Html {
  return html`<a class="explained" href="#word-${key}">${word}</a>`;
}

/** The words of the results and what they mean, folded. */
export function renderGlossary(): Html {
  const entries = GLOSSARY.map(
    ({ key, word, meaning }) => html`<div id="word-${key}"><dt>${word}</dt><dd>${worded(meaning)}</dd></div>`,
  );
  return html`<details class="glossary"><summary>What these words mean</summary><dl>${entries}</dl></details>`;
}
