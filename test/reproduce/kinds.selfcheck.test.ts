import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import { type CommandLine, compileCommandLine } from '../command-line.ts';
import { findingsOf, shapeOf } from './catalogue.ts';
import { COMPARING, FIGURES } from './catalogue-cases.ts';
import { inBash, KEY, type Server, serve } from './in-bash.ts';
import { KINDS, type Kind } from './kinds.ts';

/** ms: scripts go on to the limit by hundreds of processes, on whatever machine. */
const PATIENCE = 180_000;

/** A window that does not end while a script runs. */
const LONG = ['--window', '86400'];

let commandLine: CommandLine;
/** Is asked by all scripts that use up no limit. */
let plain: Server;
beforeAll(async () => {
  commandLine = compileCommandLine('a-real-key-that-is-not-for-it');
  plain = await serve(commandLine, ['--plan', 'business', ...LONG]);
}, 120_000);
afterAll(async () => {
  await plain.close();
  commandLine.remove();
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
function run({ script, target }: Awaited<ReturnType<typeof printedFor>>, { baseUrl, apiUrl }: Server) {
  const here = script
    .replaceAll(new URL(target.baseUrl).origin, new URL(baseUrl).origin)
    .replaceAll(new URL(target.apiUrl ?? '').origin, new URL(apiUrl).origin);
  return inBash(commandLine, here);
}

/** The same, of a server of its own. */
async function runAlone(printed: Awaited<ReturnType<typeof printedFor>>, options: readonly string[]) {
  const server = await serve(commandLine, options);
  return run(printed, server).finally(server.close);
}

describe.concurrent('by bash and curl', () => {
  test.each(KINDS)(
    '$kind ($fault): shows with the fault, and not without',
    async (kind) => {
      const printed = await printedFor(kind);
      const options = kind.options ?? LONG;
      const faulty = await runAlone(printed, ['--fault', kind.fault, ...options]);
      expect(kind.shows(faulty), `${printed.script}\n${faulty.out}\n${faulty.err}`).toBe(true);
      const other = await (kind.usesUpLimit ? runAlone(printed, options) : run(printed, plain));
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
