import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/index.ts';
import { type RealServer, started } from './servers.ts';

// A to-do list in each of these frameworks, judged by the document that the framework makes of it: npm run nightly.

/** What petspec reports, and a command that shows it: what it prints is not what the document says. */
interface Known {
  ids: readonly string[];
  because: string;
  curl: string;
  prints: string;
}

const JSON_POST = "curl -s '{baseUrl}/tasks' -H 'content-type: application/json' -d";

const FRAMEWORKS: readonly [
  name: string,
  packages: readonly [string, ...string[]],
  known: readonly Known[],
][] = [
  [
    'fastify',
    ['fastify@5.12.8', '@fastify/swagger@9.9.3'],
    [
      {
        ids: ['addTask.body', 'replaceTask.body'],
        because: 'its validator converts what has another type, and drops fields that the document rules out',
        curl: `${JSON_POST} '{"title":5,"extra":1}'`,
        prints: '"title":"5"',
      },
    ],
  ],
  ['hono', ['hono@4.13.19', '@hono/node-server@2.1.9', '@hono/zod-openapi@1.6.3', 'zod@4.3.6'], []],
  [
    'hapi',
    ['@hapi/hapi@21.4.10', '@hapi/inert@7.1.2', '@hapi/vision@7.0.3', 'hapi-swagger@17.3.2', 'joi@17.13.9'],
    [],
  ],
  ['orpc', ['@orpc/server@1.16.1', '@orpc/openapi@1.16.1', '@orpc/zod@1.16.1', 'zod@4.3.6'], []],
  [
    'trpc',
    ['@trpc/server@11.25.2', 'trpc-to-openapi@3.3.0', 'zod@4.3.6'],
    [
      {
        ids: ['error.NOT_FOUND', 'error.BAD_REQUEST'],
        because: 'its document closes errors, which have data beside the message',
        curl: "curl -s '{baseUrl}/tasks/none'",
        prints: '"data":{',
      },
      {
        ids: ['error.BAD_REQUEST.issues'],
        because: 'its document closes issues, which have the expected type',
        curl: `${JSON_POST} '{}'`,
        prints: '"issues":[{"expected":',
      },
      {
        ids: ['addTask.body'],
        because: 'it takes any value for true',
        curl: `${JSON_POST} '{"title":"a","done":{"value":1}}'`,
        prints: '"done":true',
      },
    ],
  ],
  [
    'express',
    ['express@5.3.0', 'express-zod-api@27.3.0', 'http-errors@2.0.1', 'zod@4.3.6', 'typescript@6.0.3'],
    [],
  ],
];

test.each(FRAMEWORKS)(
  '%s: everything that petspec reports is confirmed',
  async (framework, [name, ...others], known) => {
    const file = `${framework}.mjs`;
    const server: RealServer = {
      ...{ name, others, documentAt: '/openapi.json' },
      start: [process.execPath, file],
      program: readFileSync(join(import.meta.dirname, 'frameworks', file), 'utf8'),
    };
    const { baseUrl, document } = await started(server);
    const { requirements, verdict, requests } = await run({ baseUrl, interface: document, write: true });
    const told = requirements.filter(({ status }) => status === 'violated' || status === 'advisory');
    expect(told.map(({ id }) => id).sort()).toEqual(known.flatMap(({ ids }) => ids).sort());
    expect(verdict).not.toBe('incomplete');
    expect(requests.things?.stillThere).toBe(0);
    for (const { curl, prints } of known) {
      const { stdout } = spawnSync('bash', ['-c', curl.replace('{baseUrl}', baseUrl)]);
      expect(String(stdout)).toContain(prints);
    }
  },
  300_000,
);
