import { relative } from 'node:path';
import { Command } from 'commander';
import { filesIn } from '../../../board/files.ts';
import { makeBoard } from '../../../board/site.ts';
import { distinctKeys, publicKeyOf } from '../../../certificate/signing.ts';
import { isDigestOfInterface } from '../../../contract/sets.ts';
import type { PastRun } from '../../../history/course.ts';
import { isFileError } from '../../../model/file-error.ts';
import { counted } from '../../../model/report/report.ts';
import { UsageError } from '../../../model/usage-error.ts';
import { visible } from '../../../model/visible.ts';
import { contractOf } from '../../../run/contract-of.ts';
import { collect } from '../../options/option-values.ts';
import { keyFrom } from '../../options/signing.ts';
import { openFolder } from '../../output/out-folder.ts';

interface BoardFlags {
  out: string;
  key?: string[];
  title: string;
  url?: string;
}

/** The most problems that are printed with a line each. */
const MAX_PROBLEMS = 10;

/** `petspec board`: a static site of many implementations. */
export function boardCommand(): Command {
  return new Command('board')
    .description(
      'Makes a static site of implementations and their runs: what each section of the interface came to, trends, requirements, reports, badges, a feed. It opens from disk, and any web server can serve it.',
    )
    .argument('<path...>', 'histories, reports, or folders of them')
    .option('--out <dir>', 'folder of the site', 'board')
    .option(
      '--key <file>',
      'Ed25519 public key (PEM) of a trusted signer of certificates (repeatable)',
      collect,
    )
    .option('--title <text>', 'title of the site', 'Animal store implementations')
    .option('--url <address>', 'address of the site, for the links of the feed')
    .addHelpText('after', EXAMPLES)
    .action((paths: string[], flags: BoardFlags) => board(paths, flags));
}

function board(paths: readonly string[], { out, key = [], title, url }: BoardFlags): void {
  const keys = distinctKeys(key.map((path) => keyFrom('--key', path, publicKeyOf)));
  const address = url === undefined ? {} : { url: addressOf(url) };
  let problems = 0;
  const onProblem = (problem: string) => {
    problems += 1;
    if (problems <= MAX_PROBLEMS) process.stderr.write(`petspec: ignored ${visible(problem)}\n`);
  };
  try {
    const files = filesIn(paths, onProblem);
    const { problem } = openFolder(out);
    if (problem !== undefined) throw new UsageError(`--out: ${problem}`);
    const counts = makeBoard(files, {
      out,
      title,
      keys,
      ...address,
      now: Date.now(),
      statementOf: statements(),
      onProblem,
    });
    const folder = visible(relative(process.cwd(), out) || '.');
    process.stdout.write(
      `${folder}/index.html: ${counted(counts.implementations, 'implementation')}, ${counted(counts.runs, 'run')}\n`,
    );
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UsageError(`cannot make the board: ${error.message}`);
  } finally {
    if (problems > MAX_PROBLEMS) process.stderr.write(`petspec: ignored ${problems - MAX_PROBLEMS} more\n`);
  }
}

/** The address with a slash at its end. @throws UsageError if it is not an http or https address */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search + url.hash !== '')
    throw new UsageError(
      `--url: '${text}' is not the address of a site; expected one like https://example.com/board/`,
    );
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

/** The sentences of the bundled interface, for runs that were judged by it. */
function statements(): (run: PastRun, id: string) => string | undefined {
  const contract = contractOf({});
  const byId = new Map(contract.requirements.map(({ id, statement }) => [id, statement]));
  return ({ petspec }, id) => (isDigestOfInterface(petspec.interface, contract) ? byId.get(id) : undefined);
}

const EXAMPLES = `
Exit status: 0, or 2 if a path cannot be read or there is no run. Files in folders that cannot be used are ignored, with a line for each.

Examples:
  petspec board history.jsonl
  petspec board implementations/ --key verify.pem --out public
  petspec board vendor-*/history.jsonl reports/ --url https://example.com/board/`;
