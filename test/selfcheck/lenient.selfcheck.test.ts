import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { CallWhere } from '../../src/reference/changes/change.ts';
import { answering, onAnswer, withHeader, withoutHeader } from '../../src/reference/changes/changes.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import { crash, page } from '../../src/reference/faults/mistakes.ts';
import { withHeaderOf } from '../../src/reference/http/answer.ts';
import type { Call } from '../../src/reference/http/call.ts';
import { DEFAULT_OPTIONS, ofBundled } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { compareWithCatalogue, conductChanged } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';

// Requests that a service may refuse are sent as far as the limit has room. Free has none, so these faults are not in the
// catalogue: they are tried with a larger limit.

const LISTS = { operation: 'listPets' } as const;
const acceptOf = ({ headers }: Call) => headers.accept;
const html = (where: CallWhere) =>
  onAnswer({ ...where, status: 200 }, (answer) => ({
    ...withHeaderOf(answer, 'Content-Type', 'text/html; charset=utf-8'),
    body: page(200).body,
  }));

const FAULTS: readonly Fault[] = [
  {
    id: 'accept-absent-500',
    summary: 'a list request without Accept gets 500',
    violates: ['listPets.responses'],
    ...answering({ ...LISTS, when: (call) => acceptOf(call) === undefined }, crash),
  },
  {
    id: 'accept-absent-html',
    summary: 'without Accept, a list is an HTML page',
    violates: ['service.content-type'],
    ...html({ ...LISTS, when: (call) => acceptOf(call) === undefined }),
  },
  {
    id: 'accept-any-xml',
    summary: 'with Accept: */*, a list is declared as XML, which is the first renderer',
    violates: ['service.content-type'],
    ...withHeader(
      { ...LISTS, status: 200, when: (call) => acceptOf(call) === '*/*' },
      'Content-Type',
      'application/xml',
    ),
  },
  {
    id: 'accept-list-500',
    summary: 'an Accept with several types is looked up as one renderer: 500',
    violates: ['listPets.responses'],
    ...answering({ ...LISTS, when: (call) => acceptOf(call)?.includes(',') ?? false }, crash),
  },
  {
    id: 'accept-list-last',
    summary: 'the last type in Accept is preferred: a list is HTML or text if it can be',
    violates: ['service.content-type'],
    ...html({
      ...LISTS,
      when: (call) => /,\s*(?:text\/|\*\/\*|application\/(?!json))[^,]*$/.test(acceptOf(call) ?? ''),
    }),
  },
  {
    id: 'agent-browser-html',
    summary: 'browsers get lists as HTML pages',
    violates: ['service.content-type'],
    ...html({ ...LISTS, when: (call) => /mozilla|gecko|webkit/i.test(call.headers['user-agent'] ?? '') }),
  },
  {
    id: 'origin-500',
    summary: 'an Origin is looked up in a table that does not exist: a list request gets 500',
    violates: ['listPets.responses'],
    ...answering({ ...LISTS, when: ({ headers }) => headers.origin !== undefined }, crash),
  },
  {
    id: 'origin-headers-lost',
    summary: 'for a list with an Origin, the headers of CORS replace X-RateLimit-Remaining',
    violates: ['X-RateLimit-Remaining'],
    ...withoutHeader(
      { ...LISTS, when: ({ headers }) => headers.origin !== undefined },
      'X-RateLimit-Remaining',
    ),
  },
  {
    id: 'parameter-unknown-500',
    summary: 'an unknown query parameter becomes a column of the database query: 500',
    violates: ['listPets.responses'],
    ...answering(
      {
        ...LISTS,
        when: ({ query }) => [...query.keys()].some((name) => name !== 'limit' && name !== 'status'),
      },
      crash,
    ),
  },
];

const contract = loadContract();
const limits = { minute: 120, day: 10_000 };
const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, frugal: true, limits });
const plan = makePlan(contract, allChecks(contract), options);

test.each(FAULTS.map((fault) => [fault.id, fault] as const))(
  'what a service may refuse is judged if it is accepted: %s',
  async (_id, fault) => {
    const run = await conductChanged(contract, plan, { fault }, options);
    expect(compareWithCatalogue(contract, { fault }, run).problems).toEqual([]);
  },
);
