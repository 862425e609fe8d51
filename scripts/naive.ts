/**
 * Judges naive services and prints the announced and the sent requests: `node dist/scripts/naive.js [id...]`.
 */
import { run } from '../src/index.ts';
import { naiveServices, startNaive } from '../test/services/naive-services.ts';

const ids = process.argv.slice(2);

for (const service of naiveServices) {
  if (ids.length > 0 && !ids.includes(service.id)) continue;
  const { baseUrl, apiUrl, requests, close } = await startNaive(service);
  const begun = performance.now();
  const { verdict, announced } = await run({ baseUrl, apiUrl, apiKey: 'a-naive-key', plan: service.plan });
  const seconds = (performance.now() - begun) / 1000;
  await close();
  const { base, messages } = requests();
  const most = announced ?? { withKey: 0, wrongKeys: 0, messages: 0, seconds: 0 };
  const sent = `${base} of at most ${most.withKey + most.wrongKeys} requests, ${messages} of ${most.messages} messages`;
  // Memory of this process with all services so far, so a leak shows at the last one.
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(
    `${service.id.padEnd(12)} ${verdict.padEnd(14)} ${sent}; ${seconds.toFixed(1)} of ${most.seconds} s, ${peak} MB (${service.does})\n`,
  );
}
