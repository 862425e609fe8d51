import { html } from '../src/report/html/markup/markup.ts';

/** Columns of the terminal in the picture. */
export const COLUMNS = 110;

/** Sizes in pixels of a font whose letters are equally wide. */
const LETTER = 7.8;
const LINE = 18;
const MARGIN = 16;

const COLORS: Readonly<Record<string, string>> = {
  31: 'fill="#ff7b72"',
  32: 'fill="#7ee787"',
  33: 'fill="#e3b341"',
  1: 'font-weight="bold"',
  2: 'opacity="0.6"',
};

/** A control sequence with one number. */
const SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`);

/** What a terminal shows, as SVG: its lines appear one after the other where a viewer animates. */
export function pictureOf(text: string): string {
  const lines = text.trimEnd().split('\n');
  const width = Math.ceil(COLUMNS * LETTER + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  const rows = lines.map((line, index) => {
    const y = MARGIN + (index + 0.75) * LINE;
    return `<text x="${MARGIN}" y="${y}" style="animation-delay:${(0.4 + index * 0.12).toFixed(2)}s">${spansOf(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A run of petspec in a terminal">
<style>text{font:13px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3;white-space:pre;animation:show .01s both}@keyframes show{from{visibility:hidden}}@media(prefers-reduced-motion){text{animation:none}}</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${rows.join('\n')}
</svg>
`;
}

/** The parts of a line, each with its styles (ECMA-48, Select Graphic Rendition). */
function spansOf(line: string): string {
  const active = new Set<string>();
  return line
    .split(SEQUENCE)
    .map((part, index) => {
      if (index % 2 === 1) {
        if (part in COLORS) active.add(part);
        else active.clear();
        return '';
      }
      const style = [...active].map((code) => ` ${COLORS[code]}`).join('');
      return part === '' ? '' : `<tspan${style}>${html`${part}`}</tspan>`;
    })
    .join('');
}
