import { type Html, html } from '../report/html/markup/markup.ts';
import { renderDocument } from '../report/html/markup/page.ts';

/** A page may only use files of the board, so nothing in an uploaded report can run, load or send anything. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * A page of the board.
 * @param root relative path to the folder of the board
 */
export function boardPage(title: string, root: '' | '../', body: Html): string {
  return renderDocument({
    policy: POLICY,
    title,
    head: html`<link rel="stylesheet" href="${root}assets/board.css">
<link rel="alternate" type="application/atom+xml" title="Changes" href="${root}feed.xml">`,
    body,
    script: html`<script src="${root}assets/board.js"></script>`,
  });
}

/** `2026-09-01`. */
export function day(iso: string): string {
  return iso.slice(0, 10);
}

/** A value per run as a line, oldest first, on a scale from zero. `words` says the same to screen readers. */
export function trendLine(
  values: readonly (number | undefined)[],
  words: string,
  width = 120,
  height = 28,
): Html {
  const largest = Math.max(1, ...values.map((value) => value ?? 0));
  const step = width / Math.max(1, values.length - 1);
  const points = values.flatMap((value, index) =>
    value === undefined
      ? []
      : [`${round(index * step)},${round(height - 2 - (value / largest) * (height - 4))}`],
  );
  const last = points.at(-1)?.split(',') ?? [];
  return html`<svg class="trend" viewBox="-3 0 ${width + 6} ${height}" width="${width + 6}" height="${height}" role="img" aria-label="${words}"><polyline points="${points.join(' ')}"/>${
    last.length > 0 && html`<circle cx="${last[0] ?? ''}" cy="${last[1] ?? ''}" r="2.5"/>`
  }</svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
