import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Exchange } from '../../model/exchange.ts';
import type { Report } from '../../model/report/report.ts';

/** @param exchanges reads every exchange of the run again at each call */
export type Render = (report: Report, exchanges: () => Iterable<Exchange>) => string | Iterable<string>;

export interface ReportFormat {
  file: string;
  /** For `--help`. */
  description: string;
  /** Whether it is written when the user names no format. */
  isDefault: boolean;
  /** Imports the renderer: most runs need only a few of them. */
  load(): Promise<Render>;
}

/** Every format of a report by its name. The choices of `--format`, their help and the files follow from this table. */
export const REPORT_FORMATS = {
  json: {
    file: 'report.json',
    description: 'the result as data; always written',
    isDefault: true,
    load: async () => renderJson,
  },
  html: {
    file: 'report.html',
    description: 'one self-contained page for people',
    isDefault: true,
    load: async () => (await import('../html/index.ts')).renderHtml,
  },
  junit: {
    file: 'junit.xml',
    description: 'a test case for each requirement, for CI services',
    isDefault: true,
    load: async () => (await import('../formats/junit.ts')).renderJunit,
  },
  ctrf: {
    file: 'ctrf.json',
    description: 'Common Test Report Format',
    isDefault: false,
    load: async () => (await import('../formats/ctrf.ts')).renderCtrf,
  },
  har: {
    file: 'exchanges.har',
    description: 'every exchange as HAR 1.2, for the developer tools of a browser',
    isDefault: false,
    load: async () => (await import('../formats/har.ts')).renderHar,
  },
  markdown: {
    file: 'summary.md',
    description: 'the verdict and the violations, for a comment or a chat',
    isDefault: true,
    load: async () => {
      const { renderMarkdown } = await import('../formats/markdown.ts');
      return (report) => renderMarkdown(report);
    },
  },
  sarif: {
    file: 'results.sarif',
    description: 'SARIF 2.1.0, for tools that show results of analyses',
    isDefault: false,
    load: async () => (await import('../formats/sarif.ts')).renderSarif,
  },
  csv: {
    file: 'requirements.csv',
    description: 'a line for each requirement, for spreadsheets',
    isDefault: false,
    load: async () => (await import('../formats/csv.ts')).renderCsv,
  },
  agent: {
    file: 'agent.md',
    description: 'each violation with its evidence, for a program that mends the service',
    isDefault: false,
    load: async () => (await import('../formats/agent.ts')).renderForAgents,
  },
} as const satisfies Record<string, ReportFormat>;

export type Format = keyof typeof REPORT_FORMATS;

export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

type FormatFiles = { [Name in Format]: (typeof REPORT_FORMATS)[Name]['file'] };

/** The files that a run or a certificate writes into its folder. petspec leaves every other file there alone. */
export const REPORT_FILES = {
  ...(Object.fromEntries(
    Object.entries(REPORT_FORMATS).map(([name, { file }]) => [name, file]),
  ) as FormatFiles),
  ledger: 'ledger.jsonl',
  certificate: 'certificate.json',
  certifiedTarget: 'certificate.target.json',
  certificateSummary: 'certificate.svr.json',
  badge: 'badge.svg',
  shield: 'badge.json',
} as const;

/**
 * Writes a file completely or not at all, so that a reader never sees half of it.
 * @param text the text, or its pieces in order
 * @returns the path
 * @throws the file system's error, after removing what was written
 */
export function writeFileAtomically(path: string, text: string | Iterable<string>): string {
  const half = `${path}.${process.pid}.tmp`;
  try {
    // Removed first: a killed process may have left this file, and opening a link would write to its target.
    rmSync(half, { force: true });
    const file = openSync(half, 'wx');
    try {
      for (const piece of typeof text === 'string' ? [text] : text) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
    renameSync(half, path);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
  return path;
}

/** Whether a file name is that of a temporary file that a killed process left behind. */
export function isHalf(name: string): boolean {
  const [, whole] = /^(.*)\.\d+\.tmp$/.exec(name) ?? [];
  return Object.values(REPORT_FILES).some((file) => file === whole);
}
