import type { Report, Verdict } from '../model/report/report.ts';
import { isNarrowed, verdictWords } from '../report/facts/verdict.ts';

const COLORS: Readonly<Record<Verdict, { name: string; code: string }>> = {
  conformant: { name: 'brightgreen', code: '#2a7e19' },
  'non-conformant': { name: 'red', code: '#b3261e' },
  incomplete: { name: 'yellow', code: '#8a6100' },
};

/** The color of a narrowed conformant verdict. */
const NARROWED = { name: 'blue', code: '#1d4f91' };

const LABEL = 'petspec';

/** Approximate width of a character in px. The text is stretched to fit. */
const CHARACTER = 6.6;
const PADDING = 6;

export interface Badge {
  verdict: Verdict;
  words: string;
  /** Whether options left out requirements. */
  isNarrowed: boolean;
}

/** The verdict of a report for shields.io's endpoint badge (schema version 1). */
export function renderShield(report: Report): string {
  return shieldOf(badgeOf(report));
}

/** The verdict of a report as a small, self-contained SVG. */
export function renderBadge(report: Report): string {
  return drawBadge(badgeOf(report));
}

function badgeOf(report: Report): Badge {
  return { verdict: report.verdict, words: verdictWords(report), isNarrowed: isNarrowed(report) };
}

/** A badge for shields.io's endpoint (schema version 1). */
export function shieldOf(badge: Badge): string {
  const { name } = colorOf(badge);
  return `${JSON.stringify({ schemaVersion: 1, label: LABEL, message: badge.words, color: name })}\n`;
}

/** A badge as a small, self-contained SVG. Its words need no escaping, because petspec wrote them. */
export function drawBadge(badge: Badge): string {
  const { words: verdict } = badge;
  const left = widthOf(LABEL);
  const right = widthOf(verdict);
  const text = (words: string, x: number, width: number) =>
    `<text x="${x + width / 2}" y="14" textLength="${width - 2 * PADDING}">${words}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-labelledby="title">
  <title id="title">${LABEL}: ${verdict}</title>
  <rect width="${left}" height="20" fill="#444"/>
  <rect x="${left}" width="${right}" height="20" fill="${colorOf(badge).code}"/>
  <g fill="#fff" text-anchor="middle" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
    ${text(LABEL, 0, left)}
    ${text(verdict, left, right)}
  </g>
</svg>
`;
}

function colorOf(badge: Badge): { name: string; code: string } {
  return badge.verdict === 'conformant' && badge.isNarrowed ? NARROWED : COLORS[badge.verdict];
}

function widthOf(words: string): number {
  return Math.round(words.length * CHARACTER) + 2 * PADDING;
}
