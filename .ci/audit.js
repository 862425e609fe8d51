/**
 * Asks the registry what is known of petspec's dependencies: whether their signatures are right, and whether anything
 * is known against those that petspec runs with. A finding fails. Not every registry answers these questions, nor is
 * each machine let through to whoever keeps the keys: then a line says so, and nothing fails.
 */
import { spawnSync } from 'node:child_process';

const QUESTIONS = [
  {
    args: ['audit', 'signatures'],
    isAnswer: ({ invalid, missing }) => Array.isArray(invalid) && Array.isArray(missing),
    findings: ({ invalid, missing }) => [
      ...invalid.map((each) => `${nameOf(each)}: its signature is wrong`),
      ...missing.map((each) => `${nameOf(each)}: its signature is missing`),
    ],
  },
  {
    args: ['audit', '--omit=dev'],
    isAnswer: ({ vulnerabilities }) => typeof vulnerabilities === 'object' && vulnerabilities !== null,
    findings: ({ vulnerabilities }) =>
      Object.values(vulnerabilities).map(({ name, severity, range }) => `${name} ${range}: ${severity}`),
  },
];

for (const { args, isAnswer, findings } of QUESTIONS) {
  const question = `npm ${args.join(' ')}`;
  const answer = ask(args);
  if (!isAnswer(answer)) {
    console.log(`${question}: not answered (${why(answer)})`);
    continue;
  }
  const found = findings(answer);
  console.log(`${question}: ${found.length === 0 ? 'nothing found' : found.join('; ')}`);
  if (found.length > 0) process.exitCode = 1;
}

/** What npm answers, as JSON; where it answers none, an object that is no answer. */
function ask(args) {
  const options = ['--json', '--fetch-retries=0', '--fetch-timeout=20000'];
  const { stdout, error } = spawnSync('npm', [...args, ...options], { encoding: 'utf8', timeout: 60_000 });
  try {
    return JSON.parse(stdout) ?? {};
  } catch {
    return { message: error?.code ?? 'no JSON' };
  }
}

function why({ statusCode, error, message = '' }) {
  return statusCode ?? error?.code ?? /\bE[A-Z_]{3,}\b/.exec(message)?.[0] ?? (message || 'no reason');
}

function nameOf({ name, version }) {
  return `${name}@${version}`;
}
