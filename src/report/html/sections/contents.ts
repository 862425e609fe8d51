import { group } from 'd3-array';
import type { Report, RequirementResult } from '../../../model/report/report.ts';
import { countsByStatus, icon, type ShownStatus, STATUS_LABELS } from '../markup/labels.ts';
import { type Html, html, quoted, type TemplateValue, worded } from '../markup/markup.ts';
import { readAsset } from '../markup/page.ts';

/** A link to a part of the page, with the number of items in it. */
export interface ContentsEntry {
  anchor: string;
  name: string;
  number?: number;
}

export function renderContents(entries: readonly ContentsEntry[]): Html {
  const items = entries.map(
    ({ anchor, name, number }) =>
      html`<li><a href="#${anchor}">${name}${number !== undefined && html` <span class="number">${number}</span>`}</a></li>`,
  );
  return html`<nav class="contents" aria-label="Parts of this page"><ul>${items}</ul></nav>`;
}

/** The anchor of a section of the interface. */
export function sectionAnchor(index: number): string {
  return `section-${index + 1}`;
}

/**
 * A table of the sections of the interface: the number of requirements with each status.
 * @param isOpen whether the table starts unfolded: violations say more than their sections
 */
export function renderMatrix({ requirements }: Report, isOpen: boolean): Html | undefined {
  if (requirements.length === 0) return undefined;
  const statuses = countsByStatus(requirements).filter(({ number }) => number > 0);
  const heads = statuses.map(
    ({ status }) =>
      html`<th scope="col">${icon(status)} <span class="label">${STATUS_LABELS[status]}</span></th>`,
  );
  const rows = [...group(requirements, ({ section }) => section)].map(
    ([section, sectionRequirements], index) => {
      const counts = new Map(
        countsByStatus(sectionRequirements).map(({ status, number }) => [status, number]),
      );
      const cells = statuses.map(({ status }) => renderCount(status, counts.get(status) ?? 0));
      return html`<tr><th scope="row"><a href="#${sectionAnchor(index)}">${quoted(section, 200)}</a></th>${cells}</tr>`;
    },
  );
  return html`<details class="sections" id="sections"${isOpen && html` open`}><summary>By section of the interface</summary>
    <section class="scroll" aria-label="Requirements by section and status" tabindex="0"><table class="matrix">
      <thead><tr><th scope="col">Section</th>${heads}</tr></thead><tbody>${rows}</tbody></table></section></details>`;
}

function renderCount(status: string, number: number): Html {
  return html`<td class="${number === 0 ? 'nothing' : status}">${number === 0 ? html`<span class="unseen">0</span>` : number}</td>`;
}

/** The anchors of the rows of requirements, by id. They stay the same from run to run, so links stay valid. */
export function requirementAnchors(requirements: readonly RequirementResult[]): Map<string, string> {
  const usedAnchors = new Set<string>();
  return new Map(
    requirements.map(({ id }, index) => {
      const plain = `r-${id.replaceAll(/[^\w.-]/g, '_')}`;
      const anchor = usedAnchors.has(plain) ? `${plain}-${index}` : plain;
      usedAnchors.add(anchor);
      return [id, anchor];
    }),
  );
}

/** The explanation of a word of the results. */
interface GlossaryEntry {
  /** For anchors. */
  key: ShownStatus | 'observation' | 'narrowed' | 'incomplete';
  word: string;
  /** With names of options and levels between backticks. */
  meaning: string;
}

/** docs/glossary.md has the same sentences. */
export const GLOSSARY: readonly GlossaryEntry[] = JSON.parse(readAsset('glossary.json'));

/** A word with a link to its explanation. */
export function explained(key: GlossaryEntry['key'], word: TemplateValue): Html {
  return html`<a class="explained" href="#word-${key}">${word}</a>`;
}

/** The explanations of all words, folded. */
export function renderGlossary(): Html {
  const entries = GLOSSARY.map(
    ({ key, word, meaning }) => html`<div id="word-${key}"><dt>${word}</dt><dd>${worded(meaning)}</dd></div>`,
  );
  return html`<details class="glossary"><summary>What these words mean</summary><dl>${entries}</dl></details>`;
}
