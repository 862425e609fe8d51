import { loadContract } from '../../src/contract/load.ts';
import { judgeRecordings } from '../../src/recording/judge-recording.ts';
import type { JudgeOptions } from '../../src/recording/judgment.ts';
import { type ReadLine, readLine } from '../../src/recording/reading/entry.ts';
import { allChecks } from '../../suites/index.ts';
import { entryOf, type Said } from './entries.ts';

const contract = loadContract();

async function* read(entries: readonly unknown[]): AsyncGenerator<ReadLine> {
  for (const each of entries) yield readLine(each);
}

/** Judges entries as one recording, and others as more recordings. */
export function judge(
  entries: readonly unknown[],
  options: Partial<JudgeOptions> = {},
  ...others: unknown[][]
) {
  const files = [entries, ...others].map((each, index) => ({
    name: `${index + 1}.har`,
    entries: read(each),
  }));
  return judgeRecordings(contract, allChecks(contract), files, { servers: {}, redact: [], ...options });
}

/** Judges what was said, each a second after the one before. */
export const said = (...all: Said[]) =>
  judge(all.map((each, index) => entryOf({ at: index * 1_000, ...each })));

/** An addition, and the response to it. */
export const created = (id: number, fields: object = {}): Said => {
  const request = { name: `Rex ${id}`, categoryId: 7, ...fields };
  return { method: 'POST', request, status: 201, body: { ...request, id } };
};

/** A list of all animals. */
export const list = (...animals: object[]): Said => ({ body: animals });
