import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../model/package-root.ts';
import { symbols } from './labels.ts';
import { type Html, html, verbatim } from './markup.ts';

/** The text of a file in the assets of the package. */
export function readAsset(file: string): string {
  return readFileSync(join(packageRoot, 'assets', file), 'utf8');
}

const PAGE_STYLE = readAsset('page.css');

export const REPORT_STYLE = PAGE_STYLE + readAsset('report.css');
export const COMPARISON_STYLE = PAGE_STYLE + readAsset('comparison.css');

/** For the page that shows live traffic. */
export const LIVE_STYLE = REPORT_STYLE + readAsset('live.css');
export const LIVE_SCRIPT = readAsset('live.js');

/** Filters a comparison. */
export const COMPARISON_SCRIPT = readAsset('comparison.js');

/** Filters and folds a report, copies commands, and unfolds the target of a link and everything for printing. */
export const REPORT_SCRIPT = readAsset('report.js');

/** The parts of a page. Style and script are petspec's. */
export interface HtmlPage {
  title: string;
  body: Html;
  style: string;
  script?: string;
  /** Whether the script may connect to the server of the page. */
  isLive?: boolean;
}

/**
 * A self-contained page. Its policy allows only its style and script, by their hashes: even if a bug lets markup of a target
 * in, that cannot run.
 */
export function renderPage({ title, body, style, script, isLive = false }: HtmlPage): string {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`]),
    ...(isLive ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return renderDocument({
    policy,
    title,
    head: html`<style>${verbatim(style)}</style>`,
    body,
    script: script !== undefined && html`<script>${verbatim(script)}</script>`,
  });
}

/** An HTML document. @param parts.policy the Content-Security-Policy: what the page may run, load and send */
export function renderDocument(parts: {
  policy: string;
  title: string;
  head: Html;
  body: Html;
  script: Html | false;
}): string {
  const { policy, title, head, body, script } = parts;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${head}
</head>
<body>
${symbols()}
${body}
${script}
</body>
</html>
`.toString();
}

function hashOf(code: string): string {
  return `sha256-${createHash('sha256').update(code).digest('base64')}`;
}
