// Peak memory of using up a day in virtual time: ten times the requests may not take ten times the memory. The bundled
// reference, which keeps a log of every request for the tests, runs in the same process. Usage: node bench/memory.js
import { spawnSync } from 'node:child_process';

const script = (plan) => `
  import { run } from '${new URL('../dist/src/index.js', import.meta.url)}';
  const { requests, verdict } = await run({ exhaust: 'day', plan: '${plan}' });
  console.log(JSON.stringify({ total: requests.total, verdict, peak: process.resourceUsage().maxRSS / 1024 }));
`;

for (const plan of ['free', 'pro', 'business']) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script(plan)], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  const { total, verdict, peak } = JSON.parse(stdout);
  process.stdout.write(
    `a day of the plan ${plan}, ${total} requests: ${verdict}, peak ${peak.toFixed(0)} MB\n`,
  );
}
