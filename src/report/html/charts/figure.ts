import { type Html, html, quoted, verbatim } from '../markup/markup.ts';

/** A chart in several sizes, with words for people who do not see it. */
export interface Chart {
  /** Unique in a page. */
  key: string;
  title: string;
  /** What the chart shows, in words. */
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

/** A chart as a figure: its drawings (the page shows the one that fits), a caption, and the same data as a table. */
export function renderChart({ key, title, description, caption, drawings, table }: Chart): Html {
  const drawn = drawings.map(
    ({ size, width, height, content }) => html`<svg class="chart ${size}" role="img"
      aria-labelledby="${key}-${size}-title ${key}-${size}-about" viewBox="0 0 ${width} ${height}">
      <title id="${key}-${size}-title">${title}</title><desc id="${key}-${size}-about">${description}</desc>
      ${content}</svg>`,
  );
  return html`<figure class="figure">${drawn}<figcaption>${caption}</figcaption></figure>${table}`;
}

/** A text names at most so many operations. */
const MAX_NAMES = 5;

/** The operations of some exchanges as text; it says how many it leaves out. */
export function operationNames(exchanges: readonly { operation: string }[]): Html {
  const operations = [...new Set(exchanges.map(({ operation }) => operation))];
  const more = operations.length - MAX_NAMES;
  const names = operations
    .slice(0, MAX_NAMES)
    .map((each, index) => html`${index > 0 && ', '}<code>${quoted(each, 60)}</code>`);
  return html`${names}${more > 0 && ` and ${more} more`}`;
}

/** A coordinate, rounded to a tenth. */
export function px(value: number): number {
  return Number.isFinite(value) ? Number(value.toFixed(1)) : 0;
}

/** A path of d3-shape, reduced to commands and numbers. It may be longer than a text. */
export function pathData(path: string | null): Html {
  return verbatim((path ?? '').replace(/[^MLHVZ\d.,\-\s]/gi, ''));
}
