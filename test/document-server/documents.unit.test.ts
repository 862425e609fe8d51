import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/model/clock.ts';
import { generalFaults } from '../../src/server/faults.ts';
import { isNightly } from '../nightly/sampled.ts';
import { servedRun, servedRunOf } from './served-run.ts';

const folder = join(import.meta.dirname, 'documents');
const PROJECTS = join(folder, 'projects.yaml');
const documents = [
  ...readdirSync(folder).map((name) => join(folder, name)),
  join(import.meta.dirname, '../own-interface/bookshop.openapi.yaml'),
  join(import.meta.dirname, '../../examples/bookshop/openapi.yaml'),
];

test.each(documents)('nothing is held against the server of %s, nor against its traffic', async (file) => {
  const { run, traffic, report } = await servedRun(file);
  expect([run, traffic, report.verdict]).toEqual([[], [], 'conformant']);
  expect(report.requests.things).toMatchObject({ stillThere: 0, mayHaveBeenCreated: 0 });
  // What is made by PUT at an address that the client chooses is nothing that a run creates.
  if (!file.endsWith('flags.yaml')) expect(report.requests.things?.created).toBeGreaterThan(0);
});

test('nothing is held against a limit that is kept', async () => {
  const limits = { minute: 40 };
  const clock = new VirtualClock(Date.UTC(2026, 10, 21, 12));
  expect((await servedRun(PROJECTS, { limits, clock }, { limits })).run).toEqual([]);
});

/** What each of some documents can show: a mistake of the server, and a requirement that it violates. */
const SHOWN: readonly [
  document: string,
  faults: readonly (readonly [fault: string, requirement: RegExp])[],
][] = [
  [
    join(import.meta.dirname, '../../examples/bookshop/openapi.yaml'),
    [
      ['lost-creation', /\.created$/],
      ['lost-update', /\.replaced$/],
      ['lost-removal', /\.removed$/],
      ['same-id', /\.id$/],
      ['not-json', /^service\.json$/],
      ['late-429', /^rate-limit\.enforced$/],
    ],
  ],
  [
    PROJECTS,
    [
      ['lost-update', /^getProject\.replaced$/],
      ['any-key', /\.key$/],
      ['late-429', /^rate-limit\.enforced$/],
    ],
  ],
  [
    join(folder, 'articles.yaml'),
    [
      ['missing-field', /^Article\.type$/],
      ['wrong-type', /^Article\.(?:type|id)$/],
      ['lost-removal', /\.removed$/],
      ['no-validation', /^createArticle\./],
    ],
  ],
  [
    join(folder, 'flags.yaml'),
    [
      ['wrong-type', /^Flag\.flagKey$/],
      ['any-key', /^getFlag\.401$/],
      ['one-in-twenty', /./],
    ],
  ],
  [
    join(folder, 'orders.yaml'),
    [
      ['lost-update', /^getOrder\.replaced$/],
      ['same-id', /\.id$/],
    ],
  ],
];

const rows = SHOWN.flatMap(([file, faults]) => faults.map((each) => [file, ...each] as const));
/** By day each fault once, with one of its documents: all documents have the same server. */
const tried = isNightly ? rows : [...new Map(rows.map((row) => [row[1], row])).values()];

test.each(tried)('%s shows the fault %s', async (file, fault, requirement) => {
  const found = (await servedRunOf(file, fault)).run.map((each) => each.requirement);
  expect(found).toEqual(expect.arrayContaining([expect.stringMatching(requirement)]));
});

test('some document shows each general fault', () => {
  const shown = new Set(SHOWN.flatMap(([, faults]) => faults.map(([fault]) => fault)));
  expect(generalFaults.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
});
