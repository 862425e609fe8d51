import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { UsageError } from '../model/usage-error.ts';
import { runInVitest } from '../vitest/vitest-run.ts';
import { runCommand } from './commands/run.ts';
import { serveCommand } from './commands/serve.ts';

/** What a command says before it begins; that its exit status is 2 is shown where all commands are. */
function refused(command: Command, options: readonly string[]): Promise<unknown> {
  return command
    .exitOverride()
    .parseAsync(options, { from: 'user' })
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

/** A target with its key; nothing is sent to it. */
const REAL = ['http://127.0.0.1:9/v1', '--api-key', 'a-key'];

test.each([
  [['--only', ''], '--only: no requirement named; leave it out to judge everything'],
  [['--only='], '--only: no requirement named; leave it out to judge everything'],
  [['--only', ' ,'], '--only: no requirement named; leave it out to judge everything'],
  [
    ['--plan', 'free', '--limit', '5'],
    '--limit cannot be used with --plan free, which has fixed limits; use --plan enterprise',
  ],
  [['--plan', 'pro', '--day-limit', '5'], '--day-limit cannot be used with --plan pro'],
  [['--plan', 'bussiness'], "; did you mean 'business'?"],
  [['--exhaust', 'minute', '--no-exhaust'], 'cannot combine --exhaust and --no-exhaust; leave one out'],
  [['--no-exhaust', '--exhaust', 'day'], 'cannot combine --exhaust and --no-exhaust; leave one out'],
  [['ftp://example.com/v1'], "target: 'ftp://example.com/v1' is not an http or https URL"],
  [['127.0.0.1:9190/v1'], "target: '127.0.0.1:9190/v1' is not an http or https URL"],
  [
    ['http://user:word@127.0.0.1:9/v1'],
    'target: user and password in the URL are not supported; send the headers of a gateway with --header',
  ],
  [['http://'], "target: 'http://' is not a valid URL"],
  [
    ['http://127.0.0.1:9/a-key-of-2026/v1', '--api-key', 'a-key-of-2026'],
    'target: the address contains the API key, which every report would show; use one without it',
  ],
  [
    ['http://127.0.0.1:9/v1', '--api-key', 'a-key-of-2026', '--api-url', 'http://127.0.0.1:9/a-key-of-2026'],
    '--api-url: the address contains the API key, which every report would show; use one without it',
  ],
  [['--only', 'listPet.200'], "; did you mean 'listPets.200'?"],
  [['--api-key', 'a-key'], '--api-key: no target named; the bundled reference has its own key'],
  [['--api-key-file', 'a-key.txt'], '--api-key-file: no target named; the bundled reference has its own key'],
  [['--api-url', 'http://a.test'], '--api-url: no target named; the bundled reference has its own addresses'],
  [['--server', 'apiUrl=http://a.test'], '--server: no target named; the bundled reference has its own'],
  [
    ['--ui', '--format', 'html'],
    'cannot combine --ui and --format; pass --format to petspec report afterwards',
  ],
  [
    ['--ui', '--baseline', 'known.yaml'],
    'cannot combine --ui and --baseline; pass --baseline to petspec report',
  ],
  [['--ui', '--write-baseline', 'new.yaml'], 'cannot combine --ui and --write-baseline; leave one out'],
  [['--ui', '--quiet'], 'cannot combine --ui and --quiet; pass --quiet to petspec report afterwards'],
  [['--ui', '--verbose'], 'cannot combine --ui and --verbose; pass --verbose to petspec report afterwards'],
  [['--deep', '--budget', '600'], 'cannot combine --deep and --budget; leave one out'],
  [[...REAL, '--deep'], '--deep: the limit of the key is unknown; state it with --plan or --limit'],
  [
    [...REAL, '--plan', 'enterprise', '--deep'],
    '--deep: the limit of the key is unknown; state it with --plan or --limit',
  ],
  [
    ['--plan', 'enterprise', '--limit', '60', '--day-limit', '599', '--deep'],
    '--deep: the key has 599 requests a day, and a deep run takes 600; name a budget with --budget',
  ],
  [['--deep', '--frugal'], '--frugal cannot be used with --budget or --deep, which use further windows'],
  [['--frugal', '--budget', '600'], '--frugal cannot be used with --budget or --deep'],
  [['--budget', '1001'], '--budget 1001: the key has 1000 requests a day'],
  [[...REAL, '--budget', '600'], '--budget: the limit of the key is unknown'],
  [
    [...REAL, '--interface', 'test/own-interface/bookshop.openapi.yaml', '--budget', '5'],
    '--budget 5: this run needs ',
  ],
  [['--only', 'list.*'], "'list.*' in --only; petspec requirements lists them; did you mean 'listPets"],
  [
    ['--budget', '10'],
    '--budget 10: this run needs 62 requests with the key; name more, or use --no-exhaust',
  ],
])('wrong usage: petspec run %j', async (options, words) => {
  const error = await refused(
    runCommand(() => undefined, runInVitest),
    options,
  );
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(words);
});

test.each([
  [['--fault', 'list-defalt-25'], "--fault: unknown fault 'list-defalt-25'; did you mean 'list-default-25'?"],
  [['--fault', 'xyzzyxyzzyxyzzy'], "unknown fault 'xyzzyxyzzyxyzzy'; petspec faults lists them"],
  [['--limiter', 'tokn-bucket-both'], "did you mean 'token-bucket-both'?"],
  [['--limiter', 'json-pretty'], "--limiter: 'json-pretty' is not a limiter; use --variant json-pretty"],
  [['--limiter', ''], "--limiter: unknown variant ''"],
  [['--api-key', ''], '--api-key: the key is empty'],
  [['--plan', 'pr'], "; did you mean 'pro'?"],
])('wrong usage: petspec serve %j', async (options, words) => {
  const error = await refused(serveCommand(), options);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(words);
});

test('petspec serve takes what is named twice once, and its help shows no empty list', () => {
  const command = serveCommand().action(() => undefined);
  command.parse(['--fault', 'a', '--fault', 'a', '--fault', 'b'], { from: 'user' });
  expect(command.opts().fault).toEqual(['a', 'b']);
  expect(command.helpInformation()).not.toContain('[]');
});
