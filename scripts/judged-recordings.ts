/**
 * Writes the recorded run of every fault and variant as HAR, judges the recording, and prints what it does not find and what it
 * finds too much: `node dist/scripts/judged-recordings.js [id...]`.
 */
import { loadContract } from '../src/contract/load.ts';
import { changeOf, subjects } from '../src/selfcheck/selfcheck.ts';
import { recordedRun } from '../test/recorded/recorded-run.ts';
import { asTraffic, harOf, judgeHar, violatedIn } from '../test/recordings/recorded-run.ts';

const contract = loadContract();
const wanted = process.argv.slice(2);
const musts = new Set(contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id));
const counts = { faults: 0, run: 0, traffic: 0, wrong: 0 };
for (const subject of subjects()) {
  const { id } = changeOf(subject);
  if (wanted.length > 0 && !wanted.includes(id)) continue;
  const plan = 'fault' in subject ? (subject.fault.plan ?? 'free') : 'free';
  const { run } = recordedRun(subject);
  const har = harOf(run.exchanges, run.target.baseUrl);
  const expected = 'fault' in subject ? violatedIn(run.findings) : [];
  const found = {
    run: violatedIn((await judgeHar(contract, har, plan)).findings),
    traffic: violatedIn((await judgeHar(contract, asTraffic(har), plan)).findings),
  };
  if ('fault' in subject) counts.faults += 1;
  for (const as of ['run', 'traffic'] as const) {
    const missing = expected.filter((each) => !found[as].includes(each));
    const wrong = found[as].filter(
      (each) => !expected.includes(each) && ('fault' in subject || musts.has(each)),
    );
    if ('fault' in subject && missing.length === 0) counts[as] += 1;
    counts.wrong += wrong.length;
    if (wrong.length > 0)
      console.log(`WRONG ${as} ${id}: ${wrong.join(', ')} instead of ${expected.join(', ')}`);
    else if (missing.length > 0) console.log(`lost ${as} ${id}: ${missing.join(', ')}`);
  }
}
console.log(counts);
