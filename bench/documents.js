// What it takes to load a document of the user's, derive its checks and plan a run that writes, and what GitHub's takes.
// Usage: node bench/documents.js [operations...]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interfaceOf } from '../dist/src/run/contract-of.js';
import { DEFAULT_OPTIONS } from '../dist/src/run/options.js';
import { makePlan } from '../dist/src/run/plan.js';
import { once } from './figures.js';

const PETSPEC = join(import.meta.dirname, '..', 'bin', 'petspec.js');

/** Each resource can be listed, created, read, replaced and removed. */
const PER_RESOURCE = 5;

const json = (schema) => ({ 'application/json': { schema } });
const component = (name) => ({ $ref: `#/components/schemas/${name}` });

/** The operations of a resource of its own. */
function pathsOf(name) {
  const thing = { description: 'One of them.', content: json(component(name)) };
  const problem = { description: 'A problem.', content: json(component('Problem')) };
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50 } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const requestBody = { required: true, content: json(component(`New${name}`)) };
  const list = { description: 'A page of them.', content: json({ type: 'array', items: component(name) }) };
  return {
    [`/${name}`]: {
      get: { parameters: [limit], responses: { 200: list, 401: problem } },
      post: { requestBody, responses: { 201: thing, 401: problem, 422: problem } },
    },
    [`/${name}/{id}`]: {
      parameters: [id],
      get: { responses: { 200: thing, 401: problem, 404: problem } },
      put: { requestBody, responses: { 200: thing, 401: problem, 404: problem, 422: problem } },
      delete: { responses: { 204: { description: 'It is gone.' }, 401: problem, 404: problem } },
    },
  };
}

function schemasOf(name) {
  const own = { id: { type: 'integer' }, made: { type: 'string', format: 'date-time' } };
  const title = { type: 'string', minLength: 1, maxLength: 80 };
  const properties = { title, size: { type: 'integer', minimum: 1 }, color: { enum: ['red', 'blue'] } };
  return {
    [`New${name}`]: { type: 'object', required: ['title'], properties },
    [name]: { allOf: [component(`New${name}`), { type: 'object', required: ['id'], properties: own }] },
  };
}

/** An OpenAPI document with so many operations. */
function documentOf(operations) {
  const names = Array.from({ length: operations / PER_RESOURCE }, (_, number) => `Thing${number}`);
  const problem = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } };
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1.0.0' },
    security: [{ key: [] }],
    paths: Object.assign({}, ...names.map(pathsOf)),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: Object.assign({ Problem: problem }, ...names.map(schemasOf)),
    },
  };
}

/** Seconds of CPU, and how many probes the plan has: the best of a few times. */
export async function plannedByDocument(operations) {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-bench-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(documentOf(operations)));
  let best = { cpu: Number.POSITIVE_INFINITY };
  try {
    for (let time = 0; time < 3; time++) {
      const begun = process.cpuUsage();
      const { contract, checks } = await interfaceOf({ interface: file });
      const options = { ...DEFAULT_OPTIONS, baseUrl: 'http://127.0.0.1', write: true };
      const { probes } = makePlan(contract, checks, options);
      const { user, system } = process.cpuUsage(begun);
      best = (user + system) / 1e6 < best.cpu ? { cpu: (user + system) / 1e6, probes: probes.length } : best;
    }
    return best;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What `run --dry-run` takes for GitHub's document, which this installs from the npm registry: CPU seconds and MB. */
export function plannedForGithub() {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-bench-'));
  try {
    const options = ['install', '--prefix', folder, '--no-audit', '--no-fund', '@octokit/openapi'];
    const { status, stderr } = spawnSync('npm', options, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm: ${stderr}`);
    const require = createRequire(join(folder, 'any.js'));
    const file = require.resolve('@octokit/openapi/generated/api.github.com.json');
    return once([PETSPEC, 'run', '--dry-run', '--interface', file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const counts = process.argv.slice(2).map(Number);
  for (const operations of counts.length > 0 ? counts : [10, 100, 1_000]) {
    const { cpu, probes } = await plannedByDocument(operations);
    process.stdout.write(
      `${operations} operations: ${probes} probes planned in ${cpu.toFixed(2)} s of CPU\n`,
    );
  }
  const { cpu, megabytes } = plannedForGithub();
  process.stdout.write(`GitHub's document: ${cpu.toFixed(2)} s of CPU, ${megabytes.toFixed(0)} MB\n`);
}
