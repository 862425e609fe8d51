import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import type { Reference } from '../../src/reference/index.ts';
import { findingsOf, shapeOf } from './catalogue.ts';
import { COMPARING, FIGURES } from './catalogue-cases.ts';
import { inBash, KEY, type Served, serve } from './in-bash.ts';
import type { Kind } from './kind.ts';
import { KINDS } from './kinds.ts';

/** ms: scripts go on to the limit by hundreds of processes, on whatever machine. */
const PATIENCE = 180_000;

/** A window that does not end while a script runs. */
const LONG: Served = { window: 86_400 };

/** Where the scripts run. */
let folder: string;
/** Is asked by all scripts that use up no limit. */
let plain: Reference;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-scripts-'));
  plain = await serve({ ...LONG, plan: 'business' });
  // Judging keeps this process busy for seconds, in which no reference in it would answer a script.
  for (const kind of KINDS) await printedFor(kind);
}, PATIENCE);
afterAll(async () => {
  await plain.close();
  rmSync(folder, { recursive: true, force: true });
});

const known = new Map<string, ReturnType<typeof findingsOf>>();

/** The script of a kind, and the addresses that it names. */
async function printedFor({ fault: id, requirement }: Kind) {
  const fault = faults.find((each) => each.id === id);
  if (!fault) throw new Error(`there is no fault ${id}`);
  const found = known.get(id) ?? findingsOf(fault);
  known.set(id, found);
  const { report, problems } = await found;
  const script = problems.find((each) => each.id === requirement)?.reproduce?.script ?? '';
  return { script, target: report.target };
}

/** What bash prints of the script against a server. */
function run({ script, target }: Awaited<ReturnType<typeof printedFor>>, { baseUrl, apiUrl }: Reference) {
  const here = script
    .replaceAll(new URL(target.baseUrl).origin, new URL(baseUrl).origin)
    .replaceAll(new URL(target.apiUrl ?? '').origin, new URL(apiUrl).origin);
  return inBash(folder, here);
}

/** The same, of a server of its own. */
async function runAlone(printed: Awaited<ReturnType<typeof printedFor>>, served: Served) {
  const server = await serve(served);
  return run(printed, server).finally(server.close);
}

describe.concurrent('by bash and curl', () => {
  test.each(KINDS)(
    '$kind ($fault): shows with the fault, and not without',
    async (kind) => {
      const printed = await printedFor(kind);
      const { served = LONG } = kind;
      const changes = [kind.fault, ...(served.changes ?? [])];
      const faulty = await runAlone(printed, { ...served, changes });
      expect(kind.shows(faulty), `${printed.script}\n${faulty.out}\n${faulty.err}`).toBe(true);
      const other = await (kind.usesUpLimit ? runAlone(printed, served) : run(printed, plain));
      expect(kind.shows(other), `${printed.script}\n${other.out}\n${other.err}`).toBe(false);
      for (const { out, err } of [faulty, other]) expect(out + err).not.toContain(KEY);
    },
    PATIENCE,
  );
});

test('every shape of script that is not judged again is run by bash', async () => {
  const shapes = await Promise.all(KINDS.map(async (kind) => shapeOf((await printedFor(kind)).script)));
  expect([...COMPARING, ...FIGURES].filter((shape) => !shapes.includes(shape))).toEqual([]);
});
