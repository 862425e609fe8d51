/**
 * Judges limiters of the reference several times over sockets, in real time, with windows of a few seconds, so that whatever else
 * the machine does is in between: `node dist/scripts/short-windows.js [--times 5] [--window 3,10] [id ...]`. It prints what was
 * violated each time, and names those whose verdict wavers or is not the one of the catalog. All of them take hours.
 */
import { parseArgs } from 'node:util';
import { loadContract } from '../src/contract/load.ts';
import { realClock } from '../src/model/clock.ts';
import { isProblem } from '../src/model/finding.ts';
import { limiterFaults } from '../src/reference/faults/limiter/limiter.ts';
import { limiterVariants } from '../src/reference/variants/limiter/limiter.ts';
import { conductBundled } from '../src/run/bundled.ts';
import { changeOf, idsWith, optionsOfTrial, planOfTrial, type Subject } from '../src/selfcheck/selfcheck.ts';

const contract = loadContract();

/** What a run against a limiter with such a window violates. */
async function violatedBy(subject: Subject, seconds: number): Promise<string> {
  const run = await conductBundled(contract, planOfTrial(contract, subject), optionsOfTrial(subject), {
    changes: [changeOf(subject), { settings: { limiter: { minute: seconds * 1_000 } } }],
    clock: realClock,
    connections: 'sockets',
  });
  const ids = idsWith(run, isProblem);
  for (const id of ids) console.log(`    ${id}: ${run.findings[id]?.reason}`);
  return ids.join(', ') || 'nothing';
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { times: { type: 'string', default: '5' }, window: { type: 'string', default: '3,10' } },
    allowPositionals: true,
  });
  const all: Subject[] = [
    ...limiterFaults.map((fault) => ({ fault })),
    ...limiterVariants.map((variant) => ({ variant })),
  ];
  const subjects = all.filter((each) => positionals.length === 0 || positionals.includes(changeOf(each).id));
  for (const subject of subjects)
    for (const seconds of values.window.split(',').map(Number)) {
      const seen: string[] = [];
      for (let time = 0; time < Number(values.times); time += 1)
        seen.push(await violatedBy(subject, seconds));
      const named = 'fault' in subject ? subject.fault.violates : ['nothing'];
      const different = [...new Set(seen)];
      const isRight = different.length === 1 && named.includes(different[0] ?? '');
      console.log(
        `${isRight ? 'right' : 'WRONG'} ${changeOf(subject).id}, ${seconds} s: ${different.join(' | ')}`,
      );
    }
}

await main();
