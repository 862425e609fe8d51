import { type Html, html, quoted, verbatim } from '../markup/markup.ts';

/** A chart in several sizes, with a description for screen readers. */
export interface Chart {
  /** Unique in a page. */
  key: string;
  title: string;
  description: string;
  caption: Html;
  drawings: readonly Drawing[];
  table: Html;
}

export interface Drawing {
  size: 'wide' | 'narrow';
  width: number;
  height: number;
  content: Html;
}

/** A chart as a figure: its drawings, of which the page shows the one that fits, a caption, and the same data as a table. */
export function renderChart({ key, title, description, caption, drawings, table }: Chart): Html {
  const svgs = drawings.map(
    ({ size, width, height, content }) => html`<svg class="chart ${size}" role="img"
      aria-labelledby="${key}-${size}-title ${key}-${size}-about" viewBox="0 0 ${width} ${height}">
      <title id="${key}-${size}-title">${title}</title><desc id="${key}-${size}-about">${description}</desc>
      ${content}</svg>`,
  );
  return html`<figure class="figure">${svgs}<figcaption>${caption}</figcaption></figure>${table}`;
}

/** Operations that a text names. */
const MAX_NAMES = 5;

/** The operations of some exchanges in words, with how many are left out. */
export function operationNames(exchanges: readonly { operation: string }[]): Html {
  const operations = [...new Set(exchanges.map(({ operation }) => operation))];
  const more = operations.length - MAX_NAMES;
  const names = operations
    .slice(0, MAX_NAMES)
    .map((operation, index) => html`${index > 0 && ', '}<code>${quoted(operation, 60)}</code>`);
  return html`${names}${more > 0 && ` and ${more} more`}`;
}

/** A coordinate, rounded to a tenth. */
export function px(value: number): number {
  return Number.isFinite(value) ? Number(value.toFixed(1)) : 0;
}

/** A path of d3-shape, reduced to commands and numbers, as it may be longer than `html` allows for a text. */
export function pathData(path: string | null): Html {
  return verbatim((path ?? '').replace(/[^MLHVZ\d.,\-\s]/gi, ''));
}
