import { symbols } from '../report/html/markup/icons.ts';
import { type Html, html } from '../report/html/markup/markup.ts';

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
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="stylesheet" href="${root}assets/board.css">
<link rel="alternate" type="application/atom+xml" title="Changes" href="${root}feed.xml">
</head>
<body>
${symbols()}
${body}
<script src="${root}assets/board.js"></script>
</body>
</html>
`.toString();
}

/** `2026-09-01`. */
export function day(iso: string): string {
  return iso.slice(0, 10);
}
