/**
 * Judges the recorded run of each limiter again, and lists those that take more than 0.15 s of CPU in test/recorded/long.json, with the
 * digest of the code that explains limiters. As long as that code is the same, `npm test` does not judge them again. If a
 * finding differs from what was recorded, nothing is written.
 */
import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { limiterFaults } from '../src/reference/faults/index.ts';
import { limiterVariants } from '../src/reference/variants/index.ts';
import { changeOf, nameOf, type Subject, subjects } from '../src/selfcheck/selfcheck.ts';
import { recordedRun } from '../test/recorded/recorded-run.ts';
import { digestOfLimiters, foundBefore, foundIn, LONG, type Long } from '../test/recorded/recordings.ts';

/** What takes longer is long (ms of CPU). */
const LONG_MS = 150;

const limiters: readonly object[] = [...limiterFaults, ...limiterVariants];
const before = foundBefore();
const ids: string[] = [];
let changed = 0;
for (const subject of subjects().filter((each) => limiters.includes(changeOf(each)))) {
  const name = nameOf(subject);
  const { found, tookMs } = judged(subject, name);
  if (tookMs > LONG_MS) ids.push(name);
  if (isDeepStrictEqual(found, before.get(name))) continue;
  changed += 1;
  console.error(`${name}: found ${JSON.stringify(before.get(name))} before, ${JSON.stringify(found)} now`);
}
if (changed > 0) process.exitCode = 1;
else {
  const long: Long = { sources: digestOfLimiters(), ids: ids.sort() };
  writeFileSync(LONG, `${JSON.stringify(long, null, 2)}\n`);
  console.log(`${ids.length} recordings take long to judge`);
}

function judged(subject: Subject, name: string) {
  const start = process.cpuUsage();
  const found = foundIn(name, recordedRun(subject).run);
  const { user, system } = process.cpuUsage(start);
  return { found: JSON.parse(JSON.stringify(found)), tookMs: (user + system) / 1_000 };
}
