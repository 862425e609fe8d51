import type { Exchange } from '../../src/model/exchange.ts';
import type { Report, RequirementResult } from '../../src/model/report/report.ts';
import { exchange } from '../exchanges/exchange.ts';

const requirement = (id: string, more: Partial<RequirementResult>): RequirementResult => ({
  id,
  level: 'must',
  section: 'GET /pets (listPets)',
  operation: 'listPets',
  statement: `the sentence of ${id}`,
  source: 'listed',
  since: '0.1.0',
  status: 'met',
  exercised: true,
  reason: '',
  evidence: [1],
  ...more,
});

export const answered: Exchange = exchange({
  url: 'https://staging.example.com/v1/pets?status=sold&limit=2',
  requestHeaders: [
    ['accept', 'application/json'],
    ['authorization', 'Bearer $PETSPEC_API_KEY'],
  ],
  sentAt: Date.UTC(2026, 10, 21, 10, 0, 0, 250),
  receivedAt: Date.UTC(2026, 10, 21, 10, 0, 0, 300),
  response: {
    status: 200,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-RateLimit-Limit', '60'],
    ],
    body: '[{"id":9007199254740993,"name":"Мурка"}]',
  },
  rate: { limit: 60 },
});

export const failed: Exchange = {
  ...answered,
  id: 2,
  probe: 'createPet:full',
  operation: 'createPet',
  stage: 'create',
  method: 'POST',
  url: 'https://staging.example.com/v1/pets',
  requestHeaders: [...answered.requestHeaders, ['content-type', 'application/json']],
  requestBody: '{"name":"Zoë","categoryId":1}',
  failure: { kind: 'reset', phase: 'headers', message: 'the connection was reset' },
  rate: {},
};
delete failed.response;

/** A report with a requirement of each status and an exchange of each kind. */
export const handMade: Report = {
  schemaVersion: 1,
  suite: {
    name: 'petspec',
    version: '0.1.0',
    specVersion: '1.0.0',
    specDigest: 'ab'.repeat(32),
    noun: 'animal',
    set: { version: '0.1.0', requirements: 7, digest: 'cd'.repeat(32) },
  },
  target: {
    baseUrl: 'https://staging.example.com/v1',
    apiUrl: 'https://messages.example.com',
    plan: 'free',
  },
  verdict: 'non-conformant',
  because: '1 requirement violated',
  strict: false,
  narrowed: [{ option: '--read-only', requirements: ['createPet.201'] }],
  startedAt: '2026-11-21T10:00:00.250Z',
  finishedAt: '2026-11-21T10:01:02.250Z',
  durationMs: 62_000,
  requests: { total: 2, withKey: 2, byPurpose: { first: 1, create: 1 }, created: ['1121'] },
  summary: { met: 2, violated: 1, advisory: 1, observed: 1, 'not-tested': 2, unexercised: 1 },
  requirements: [
    requirement('listPets.200', {}),
    requirement('listPets.limit', { exercised: false, reason: 'too few animals' }),
    requirement('listPets.status', {
      status: 'violated',
      reason: 'other animals are in it',
      expected: 'animals with status sold alone',
      received: 'an animal with status "pending"',
      pointer: '/1/status',
      curl: `curl -i -H "Authorization: Bearer $PETSPEC_API_KEY" 'https://staging.example.com/v1/pets?status=sold'`,
      evidence: [1, 2],
    }),
    requirement('getPet.sunset', {
      level: 'should',
      section: 'Versioning',
      status: 'advisory',
      reason: 'no Sunset header',
      expected: 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT',
      received: 'none',
    }),
    requirement('open.ordering', {
      level: 'open',
      status: 'observed',
      observed: 'by id, ascending',
    }),
    requirement('createPet.201', {
      section: 'POST /pets (createPet)',
      operation: 'createPet',
      status: 'not-tested',
      exercised: false,
      reason: 'left out: --read-only',
      evidence: [],
    }),
    requirement('getPet.stored', {
      section: 'GET /pets/{petId} (getPet)',
      operation: 'getPet',
      status: 'not-tested',
      exercised: false,
      reason: 'follows from createPet.201',
      cause: 'createPet.201',
      evidence: [],
    }),
  ],
  newer: [],
  exchanges: [answered, failed],
};

const [, , violated] = handMade.requirements;

/** The same with hints, and a root cause that explains two of three violations and one finding of each other status. */
export const rootCaused: Report = {
  ...handMade,
  because: '3 requirements violated',
  rootCause: {
    kind: 'status',
    statement: 'every operation returned 503 text/html',
    firstLine: '<title>Down</title>',
    evidence: [1],
    requirements: ['getPet.404', 'createPet.400', 'getPet.sunset', 'open.ordering', 'getPet.stored'],
  },
  hints: [
    { kind: 'gateway', text: 'a page for browsers answers' },
    { kind: 'base-path', text: 'no /v1 at its end', command: 'petspec run https://staging.example.com/v1' },
  ],
  summary: { met: 2, violated: 3, advisory: 1, observed: 1, 'not-tested': 2, unexercised: 1 },
  requirements: [
    ...['getPet.404', 'createPet.400'].map((id) =>
      requirement(id, { ...violated, id, statement: `the sentence of ${id}`, reason: `wrong with ${id}` }),
    ),
    ...handMade.requirements,
  ],
};
