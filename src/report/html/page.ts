import { createHash } from 'node:crypto';
import { symbols } from './icons.ts';
import { type Html, html, verbatim } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style/index.ts';

/**
 * A page around its contents: self-contained, and allowed to run and load nothing but its own style and script, which
 * the policy names by their hashes. So even markup that got in by a mistake of ours could run nothing.
 */
export function renderPage(title: string, body: Html): string {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(STYLE)}'`,
    `script-src '${hashOf(SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${verbatim(STYLE)}</style>
</head>
<body>
${symbols()}
${body}
<script>${verbatim(SCRIPT)}</script>
</body>
</html>
`;
  return page.toString();
}

function hashOf(code: string): string {
  return `sha256-${createHash('sha256').update(code).digest('base64')}`;
}
