import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/index.ts';
import { type RealServer, started } from './servers.ts';

// A to-do list in each of these frameworks, judged by the document that the framework makes of it: npm run nightly.

/** What petspec reports, and a command that shows it: what it prints is not what the document says. */
interface Known {
  /** None if the command shows it and petspec does not. */
  ids: readonly string[];
  because: string;
  curl: string;
  prints: string;
}

const JSON_POST = "curl -s '{baseUrl}/tasks' -H 'content-type: application/json' -d";

/** Debian's Python, which has Debian's packages. */
const PYTHON = '/usr/bin/python3';

/** A framework without packages of npm is in Python, from Debian. */
const FRAMEWORKS: readonly [name: string, packages: readonly string[], known: readonly Known[]][] = [
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
  [
    'nestjs',
    [
      ...['@nestjs/common', '@nestjs/core', '@nestjs/platform-express'].map((name) => `${name}@12.5.1`),
      ...['@nestjs/swagger@12.0.2', 'class-validator@0.15.1', 'class-transformer@0.5.1'],
      ...['reflect-metadata@0.2.2', 'rxjs@7.8.2'],
    ],
    [
      {
        ids: [],
        because: 'what is optional for its validator may be null; petspec sends null for no optional field',
        curl: `${JSON_POST} '{"title":"a","done":null}'`,
        prints: '"done":null',
      },
      {
        ids: [],
        because: 'it also takes a form; petspec sends only media types that the document has',
        curl: "curl -s -X POST '{baseUrl}/tasks' -d title=a",
        prints: '"title":"a"',
      },
      {
        ids: [],
        because:
          'a path that is not UTF-8 is a 400 that is not documented; petspec sends only paths that are',
        curl: "curl -s '{baseUrl}/tasks/%ff'",
        prints: '400',
      },
    ],
  ],
  [
    'elysia',
    ['elysia@1.4.30', '@elysiajs/node@1.4.5', '@elysiajs/openapi@1.4.16'],
    [
      {
        ids: ['addTask.body', 'replaceTask.body'],
        because: 'its validator drops fields that the document rules out',
        curl: `${JSON_POST} '{"title":"a","extra":1}'`,
        prints: '"title":"a"',
      },
    ],
  ],
  [
    'loopback',
    ['@loopback/rest@15.0.16', '@loopback/core@7.0.15'],
    [
      {
        ids: [],
        because: 'a path that is not UTF-8 is a 500; petspec sends only paths that are',
        curl: "curl -s '{baseUrl}/tasks/%ff'",
        prints: '"statusCode":500',
      },
      {
        ids: [],
        because: 'it reads done=1 as true; petspec sends no number for a boolean, as many services read it',
        curl: "curl -s '{baseUrl}/tasks?done=1'",
        prints: '[',
      },
    ],
  ],
  [
    'fastapi',
    [],
    [
      {
        ids: ['addTask.body', 'replaceTask.body'],
        because: 'its validator, Pydantic 1, converts what has another type',
        curl: `${JSON_POST} '{"title":5}'`,
        prints: '"title":"5"',
      },
    ],
  ],
];

test.each(FRAMEWORKS)(
  '%s: everything that petspec reports is confirmed',
  async (framework, [name, ...others], known) => {
    const [command, ending] = name === undefined ? [PYTHON, 'py'] : [process.execPath, 'mjs'];
    const file = join(import.meta.dirname, 'frameworks', `${framework}.${ending}`);
    const server: RealServer = {
      ...(name === undefined ? {} : { name, others }),
      ...{ documentAt: '/openapi.json', start: [command, `program.${ending}`] },
      program: readFileSync(file, 'utf8'),
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
