import { expect, test } from 'vitest';
import { UsageError } from '../harness/options.ts';
import { runCommand } from './run.ts';

/** What `petspec run` says before it begins; that its exit status is 2 is shown where all commands are. */
function refused(options: readonly string[]): Promise<unknown> {
  return runCommand(() => undefined)
    .exitOverride()
    .parseAsync(options, { from: 'user' })
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

test.each([
  [['--only', ''], '--only: names nothing; leave it out to judge everything'],
  [['--only='], '--only: names nothing; leave it out to judge everything'],
  [['--only', ' ,'], '--only: names nothing; leave it out to judge everything'],
  [
    ['--plan', 'free', '--limit', '5'],
    '--limit states a custom plan (enterprise); the figures of --plan free',
  ],
  [['--plan', 'pro', '--day-limit', '5'], '--day-limit states a custom plan'],
  [['--plan', 'bussiness'], '; did you mean business?'],
  [['--only', 'listPet.200'], '; did you mean listPets.200?'],
])('wrong usage: petspec run %j', async (options, words) => {
  const error = await refused(options);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(words);
});
