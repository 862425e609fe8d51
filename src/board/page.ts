import { type Html, html } from '../report/html/markup/markup.ts';
import { renderDocument } from '../report/html/page.ts';

/** A page may only use the board's own files, so nothing that a stranger wrote can run, load or send. */
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
 * @param root the way to the folder of the board: '' or '../'
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
