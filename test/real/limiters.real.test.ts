import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { limitedService, missingFor } from './limiters/limited-service.ts';
import { KEY } from './limiters/programs.ts';
import { LIMITERS, type RealLimiter } from './limiters/table.ts';

// Limiters that others run, from the npm registry and Debian's packages: npm run nightly.

interface Statement {
  about: string;
  text: string;
  value?: string | number | boolean;
}

/** What `petspec limiter` says of a service, by the name of each statement. */
async function profiled(limiter: RealLimiter): Promise<Map<string, Statement>> {
  const { baseUrl, document } = await limitedService(limiter);
  const program = join(import.meta.dirname, '..', '..', 'bin', 'petspec.js');
  const options = ['limiter', baseUrl, '--interface', document, '--json'];
  const petspec = spawn(process.execPath, [program, ...options], {
    env: { ...process.env, PETSPEC_API_KEY: KEY },
  });
  const [out, err] = await Promise.all([text(petspec.stdout), text(petspec.stderr)]);
  if (!out.startsWith('{')) throw new Error(err);
  const { statements }: { statements: Statement[] } = JSON.parse(out);
  return new Map(statements.map((each) => [each.about, each]));
}

test.each(LIMITERS.map((limiter): [string, RealLimiter] => [limiter.name, limiter]))(
  '%s is what its configuration says',
  async (_, limiter) => {
    const missing = missingFor(limiter);
    if (missing !== undefined) throw new Error(missing);
    const statements = await profiled(limiter);
    const { kind, limit, windowS, untold, told, right = {} } = limiter;
    const kindTold = statements.get('kind');
    if (untold === undefined) expect(kindTold?.value ?? kindTold?.text).toContain(kind);
    else expect(statements.get('limit')?.text).toContain(untold);
    for (const [about, value] of Object.entries(told))
      expect(statements.get(about)).toMatchObject({ about, value });
    for (const [about, value] of Object.entries({ limit, ...right }))
      expect([value, undefined], statements.get(about)?.text).toContain(statements.get(about)?.value);
    const windowTold = Number(statements.get('window')?.value ?? windowS);
    expect(Math.abs(windowTold - windowS), statements.get('window')?.text).toBeLessThanOrEqual(1);
  },
  300_000,
);
