import { type ShownStatus, STATUS_LABELS, STATUS_ORDER } from './labels.ts';
import { type Html, html } from './markup.ts';

/** A shape for each status, so that color is not the only difference. Drawn on a grid of 16 by 16. */
const SHAPES: Readonly<Record<ShownStatus, Html>> = {
  violated: html`<path class="full" d="M5 1h6l4 4v6l-4 4H5l-4-4V5z"/><path class="cut" d="m5.5 5.5 5 5m0-5-5 5"/>`,
  advisory: html`<path class="full" d="M8 1.2 15.2 14.4H.8z"/><path class="cut" d="M8 6v4m0 2v.4"/>`,
  'not-tested': html`<circle class="dashed" cx="8" cy="8" r="6.2"/><path class="line" d="M5.2 8h5.6"/>`,
  unexercised: html`<circle class="line" cx="8" cy="8" r="6.2"/><path class="line" d="m5.2 8.2 2 2 3.6-4"/>`,
  met: html`<circle class="full" cx="8" cy="8" r="7"/><path class="cut" d="m4.9 8.2 2.2 2.2 4-4.6"/>`,
  observed: html`<path class="line" d="M8 1.8 14.2 8 8 14.2 1.8 8z"/><circle class="full" cx="8" cy="8" r="1.7"/>`,
};

/** The definitions of the shapes, once per page. `icon` refers to them. */
export function symbols(): Html {
  const all = STATUS_ORDER.map(
    (status) => html`<symbol id="i-${status}" viewBox="0 0 16 16">${SHAPES[status]}</symbol>`,
  );
  return html`<svg class="symbols" aria-hidden="true" focusable="false">${all}</svg>`;
}

/** The shape of a status. Screen readers skip it, so put its label next to it. */
export function icon(status: ShownStatus): Html {
  return html`<svg class="icon ${status}" aria-hidden="true" focusable="false"><use href="#i-${status}"/></svg>`;
}

/** Shape and label of a status. */
export function badge(status: ShownStatus): Html {
  return html`<span class="badge ${status}">${icon(status)} ${STATUS_LABELS[status]}</span>`;
}
