// How much of each OpenAPI document in a folder a run would reach, with and without --write, and what planning takes.
// Usage: node bench/document-folder.js <folder> [--json]
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { credentialsOf } from '../dist/src/model/http/credential.js';
import { interfaceOf } from '../dist/src/run/contract-of.js';
import { DEFAULT_OPTIONS } from '../dist/src/run/options.js';
import { makePlan } from '../dist/src/run/plan.js';

/** A document that takes longer is reported as failed (ms). */
const MAX_TIME = 120_000;

/** What a plan of one document reaches. Printed as JSON by a process of its own, which has the memory to itself. */
async function planned(file) {
  const { contract, checks } = await interfaceOf({ interface: file });
  // A user has each key of those that operations need together.
  const names = credentialsOf(contract).flatMap(({ key }) => key ?? []);
  const keys = Object.fromEntries(names.map((name) => [name, 'a-key']));
  const reached = (write) => {
    const options = { ...DEFAULT_OPTIONS, baseUrl: 'http://127.0.0.1', keys, write };
    const { probes } = makePlan(contract, checks, options);
    return { operations: new Set(probes.map(({ operation }) => operation)).size, requests: probes.length };
  };
  const [reading, writing] = [false, true].map(reached);
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return {
    operations: contract.operations.length,
    reads: contract.operations.filter(({ method }) => method === 'GET').length,
    reading,
    writing,
    seconds: (userCPUTime + systemCPUTime) / 1e6,
    megabytes: maxRSS / 1024,
  };
}

function inOwnProcess(file) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, '--one', file], {
    encoding: 'utf8',
    timeout: MAX_TIME,
  });
  return status === 0 ? JSON.parse(stdout) : { error: stderr.trim().split('\n').at(-1) || 'too slow' };
}

function lineOf(name, { error, operations, reads, reading, writing, seconds, megabytes }) {
  if (error !== undefined) return `${name}: ${error}`;
  const [plain, write] = [reading, writing].map((each) => `${each.operations} (${each.requests} requests)`);
  return `${name}: ${operations} operations, ${reads} of them reads; reached ${plain}, with --write ${write}; ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`;
}

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

function totalOf(all) {
  const read = all.filter(({ error }) => error === undefined);
  const planning = (kind) => read.filter((each) => each[kind].requests > 0).length;
  const reached = (kind) => sum(read.map((each) => each[kind].operations));
  return [
    `${all.length} documents, ${read.length} of them read`,
    `${planning('reading')} plan requests, with --write ${planning('writing')}`,
    `of ${sum(read.map(({ operations }) => operations))} operations, ${sum(read.map(({ reads }) => reads))} of them reads, ${reached('reading')} are reached, with --write ${reached('writing')}`,
    `${sum(read.map(({ seconds }) => seconds)).toFixed(0)} s of CPU, at most ${Math.max(0, ...read.map(({ megabytes }) => megabytes)).toFixed(0)} MB`,
  ].join('\n');
}

const [first, second] = process.argv.slice(2);
if (first === '--one') {
  try {
    process.stdout.write(JSON.stringify(await planned(second)));
  } catch (error) {
    process.stderr.write(error.message);
    process.exitCode = 1;
  }
} else if (first === undefined) {
  process.stderr.write('Usage: node bench/document-folder.js <folder> [--json]\n');
  process.exitCode = 2;
} else {
  const names = readdirSync(first)
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .sort();
  const all = names.map((name) => ({ name, ...inOwnProcess(join(first, name)) }));
  const lines = all.map(({ name, ...each }) => lineOf(name, each));
  process.stdout.write(
    second === '--json' ? JSON.stringify(all) : `${[...lines, totalOf(all)].join('\n')}\n`,
  );
}
