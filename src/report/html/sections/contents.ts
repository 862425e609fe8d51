import { group } from 'd3-array';
import type { Report, RequirementResult } from '../../../model/report/report.ts';
import { countsByStatus, icon, STATUS_LABELS } from '../markup/labels.ts';
import { type Html, html, quoted } from '../markup/markup.ts';

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
