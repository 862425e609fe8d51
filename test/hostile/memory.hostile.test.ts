import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, compileCommandLine } from '../command-line/command-line.ts';
import { isNightly } from '../nightly/sampled.ts';
import { behaviors } from './behaviors/index.ts';
import { tryOut } from './command.ts';
import { expectStated } from './hold.ts';
import { KEY } from './raw-service.ts';

/** MB of memory that a run may take at its peak, and of all that it writes. */
const PEAK = 300;
const WRITTEN = 50;

/** ms for one request: a busy machine takes its time for bodies of megabytes. */
const TIMEOUT = 20_000;

const named = (...ids: string[]) => behaviors.filter(({ id }) => ids.includes(id));

let commandLine: CommandLine;
beforeAll(() => {
  commandLine = compileCommandLine(KEY);
}, 60_000);
afterAll(() => commandLine.remove());

/** One for each way to fill memory: what a body becomes, what a list becomes, and what a report keeps. */
const HEAVY = named('bomb-gzip', 'large-everywhere', 'million-items', 'dies');

/** Other tests show that petspec stops reading these; at night, also what that takes. */
const MORE = named('two-gigabytes', 'endless-body', 'endless-headers', 'many-headers', 'deep-json');

for (const behavior of isNightly ? [...HEAVY, ...MORE] : HEAVY)
  test(`${behavior.id}: the command line, and a target that ${behavior.does}`, async () => {
    const { bin } = commandLine;
    const { status, report, printed, peak, written, strays } = await tryOut(behavior, bin, TIMEOUT);
    expectStated(behavior, report, status);
    expect(peak).toBeLessThan(PEAK);
    expect(written).toBeLessThan(WRITTEN);
    expect(printed).not.toContain(KEY);
    expect(strays).toBe(0);
  });
