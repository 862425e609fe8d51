import { group } from 'd3-array';
import type { Report, RequirementResult } from '../../../model/report/report.ts';
import { countsByStatus, icon, type ShownStatus, STATUS_LABELS } from '../markup/labels.ts';
import { type Html, html, quoted, type TemplateValue, worded } from '../markup/markup.ts';
import { readAsset } from '../markup/page.ts';

/** A part of the page, and how much is in it. */
export interface ContentsEntry {
  anchor: string;
  name: string;
  number?: number;
}

/** Links to the parts of the page, which stay in view. */
export function renderContents(entries: readonly ContentsEntry[]): Html {
  const items = entries.map(
    ({ anchor, name, number }) =>
      html`<li><a href="#${anchor}">${name}${number !== undefined && html` <span class="number">${number}</span>`}</a></li>`,
  );
  return html`<nav class="contents" aria-label="Parts of this page"><ul>${items}</ul></nav>`;
}

/** The id of a section of the interface in the page. */
export function sectionAnchor(index: number): string {
  return `section-${index + 1}`;
}

/**
 * How many requirements of each section of the interface have each status.
 * @param isOpen whether it starts unfolded: violations say more than the sections that they are in
 */
export function renderMatrix({ requirements }: Report, isOpen: boolean): Html | undefined {
  if (requirements.length === 0) return undefined;
  const statuses = countsByStatus(requirements).filter(({ number }) => number > 0);
  const heads = statuses.map(
    ({ status }) =>
      html`<th scope="col">${icon(status)} <span class="label">${STATUS_LABELS[status]}</span></th>`,
  );
  const rows = [...group(requirements, ({ section }) => section)].map(([section, own], index) => {
    const counts = new Map(countsByStatus(own).map(({ status, number }) => [status, number]));
    const cells = statuses.map(({ status }) => renderCount(status, counts.get(status) ?? 0));
    return html`<tr><th scope="row"><a href="#${sectionAnchor(index)}">${quoted(section, 200)}</a></th>${cells}</tr>`;
  });
  return html`<details class="sections" id="sections"${isOpen && html` open`}><summary>By section of the interface</summary>
    <section class="scroll" aria-label="Requirements by section and status" tabindex="0"><table class="matrix">
      <thead><tr><th scope="col">Section</th>${heads}</tr></thead><tbody>${rows}</tbody></table></section></details>`;
}

function renderCount(status: string, number: number): Html {
  return html`<td class="${number === 0 ? 'nothing' : status}">${number === 0 ? html`<span class="unseen">0</span>` : number}</td>`;
}

/** The ids of the rows of requirements in the page, by requirement: links to them stay the same from run to run. */
export function requirementAnchors(requirements: readonly RequirementResult[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    requirements.map(({ id }, index) => {
      const plain = `r-${id.replaceAll(/[^\w.-]/g, '_')}`;
      const anchor = taken.has(plain) ? `${plain}-${index}` : plain;
      taken.add(anchor);
      return [id, anchor];
    }),
  );
}

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
