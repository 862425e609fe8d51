import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/model/package-root.ts';
import type { Report } from '../../src/model/report/report.ts';
import { scenarios } from '../../src/reference/scenarios/index.ts';
import { assembleClient } from '../../src/report/assemble/assemble-client.ts';
import { scenarioOf } from '../exchanges/client-requests.ts';
import { contract } from '../reports/sample-runs.ts';

/** The report of a sample run. */
export function sample(name: 'conformant' | 'broken'): Report {
  return JSON.parse(readFileSync(join(packageRoot, 'reports', 'samples', name, 'report.json'), 'utf8'));
}

/** The report of a narrowed run that ended early. */
export function incomplete(): Report {
  const report = sample('conformant');
  const reason = 'GET /pets could not be reached any more';
  const left = report.requirements.filter(({ section }) => section.startsWith('Message')).map(({ id }) => id);
  return {
    ...report,
    verdict: 'incomplete',
    because: '9 requirements could not be tested',
    narrowed: [{ option: 'no --api-url', requirements: left }],
    target: { ...report.target, apiUrl: null, plan: null },
    requirements: report.requirements.map((each, index) => {
      if (left.includes(each.id))
        return { ...each, status: 'not-tested', exercised: false, reason: 'left out: no --api-url' };
      return index % 8 === 0 ? { ...each, status: 'not-tested', exercised: false, reason } : each;
    }),
  };
}

/** A narrowed conformant report. */
export function narrowed(): Report {
  const report = sample('conformant');
  const left = report.requirements.filter((_, index) => index % 3 > 0).map(({ id }) => id);
  const judged = { requirements: report.requirements.length - left.length, of: 68, unexercised: 0 };
  return {
    ...report,
    judged,
    narrowed: [{ option: '--only', requirements: left }],
    requirements: report.requirements.map((each) =>
      left.includes(each.id) ? { ...each, status: 'not-tested', reason: 'left out: --only' } : each,
    ),
  };
}

/** A report with a root cause that explains some findings, and with a hint. */
export function rootCaused(): Report {
  const report = sample('broken');
  const [first] = report.requirements.filter(({ status }) => status === 'violated');
  const requirements = report.requirements.map(({ id }) => id).filter((id) => id !== first?.id);
  const statement = 'every operation returned 503 text/html';
  return {
    ...report,
    rootCause: { kind: 'status', statement, firstLine: '<h1>Down</h1>', evidence: [1, 2], requirements },
    hints: [{ kind: 'base-path', text: 'no /v1 at its end', command: 'petspec run https://example.com/v1' }],
  };
}

/** The report of a client with a mistake in each part of its requests. */
export function client(): Report {
  const record = {
    ...{ command: 'node sync.js', advice: 'give it a key', only: [], strict: false, isInterrupted: false },
    ...{ scenarios: scenarios.slice(0, 1), startedAt: 0, finishedAt: 60_000 },
  };
  const refused = { status: 400, answer: { code: 'invalid_request', message: 'no', status: 400 } };
  const call = 'POST http://a.example/v1/pets';
  const sent = scenarioOf([
    { ...refused, call: 'GET http://a.example/v1/pets?limit=0' },
    { ...refused, call, body: { name: 7, categoryId: 1, token: '[key]' }, keyPlaces: ['body'] },
    { ...refused, call, body: {}, mediaType: 'text/plain' },
    { ...refused, key: 'absent' },
  ]);
  return assembleClient(contract, record, { contract, scenarios: [sent] });
}

/** What a service could send to attack the reader of a report. Each part tries to set a global variable. */
export const HOSTILE = [
  '<script>globalThis.taken=1</script>',
  '"><img src=x onerror="globalThis.taken=2">',
  "'><svg onload='globalThis.taken=3'>",
  '</title></style></script></pre></textarea><script>globalThis.taken=4</script>',
  '--><iframe srcdoc="<script>parent.taken=5</script>"></iframe><base href="http://evil.invalid/">',
  'javascript:globalThis.taken=6',
  '<link rel="stylesheet" href="http://evil.invalid/a.css"><meta http-equiv="refresh" content="0;url=http://evil.invalid/">',
  '\u0000\u0007\u001b[31mred\u001b]0;title\u0007\u009b2J',
  '\u202edesrever\u202c\u2066\u2069\u200f\u061c\ufeff\u00ad\u{e0041}',
  '\ud800 \udc00 \uffff \ufffe \u2028 \u2029 \u00a0',
  '::error::x ]]> {{2+2}} &amp;&lt; ##[command]',
].join(' ');

/** Fields with values of petspec's own. */
const OURS = new Set([
  'status',
  'level',
  'verdict',
  'key',
  'address',
  'startedAt',
  'finishedAt',
  'phase',
  'stage',
]);

/** A report with hostile texts and names everywhere, and hostile bodies of each kind. The longest are longer than a page shows. */
export function hostile(): Report {
  const report = sample('broken');
  const bodies = [
    HOSTILE,
    JSON.stringify([{ status: HOSTILE, [HOSTILE]: HOSTILE, id: 1 }, HOSTILE]),
    `{"deep": ${'['.repeat(500)}${JSON.stringify(HOSTILE)}${']'.repeat(500)}}`,
    `${'['.repeat(20_000)}`,
    JSON.stringify({ name: `${HOSTILE}${'A'.repeat(100_000)}` }),
    `${HOSTILE}\n`.repeat(200),
    '',
  ];
  const spoilt = spoil(report) as Report;
  return {
    ...spoilt,
    narrowed: [{ option: HOSTILE, requirements: [HOSTILE, HOSTILE] }],
    rootCause: {
      kind: 'status',
      statement: HOSTILE,
      firstLine: HOSTILE.repeat(100),
      evidence: [1, 2],
      requirements: spoilt.requirements.slice(0, 40).map((_, index) => `${index} ${HOSTILE}`),
    },
    hints: [{ kind: 'gateway', text: HOSTILE, command: HOSTILE }],
    requests: { ...spoilt.requests, byPurpose: { [HOSTILE]: 3, ['__proto__']: 1, constructor: 2 } },
    requirements: spoilt.requirements.map((each, index) => ({
      ...each,
      id: `${index} ${HOSTILE}`,
      cause: HOSTILE,
      observed: HOSTILE,
      pointer: index % 2 === 0 ? '/0/status' : HOSTILE,
      evidence: [1 + (index % bodies.length)],
      curl: index % 3 === 0 ? HOSTILE.repeat(100) : HOSTILE,
    })),
    exchanges: spoilt.exchanges.map((each, index) => {
      const { response } = each;
      if (!response || index % 8 === 7)
        return { ...each, failure: { kind: 'other', phase: 'body', message: HOSTILE } };
      const headers = Array.from({ length: 45 }, () => [HOSTILE, HOSTILE] as const);
      const body = bodies[index % bodies.length] ?? '';
      return { ...each, requestBody: body, response: { ...response, headers, body, undecodable: HOSTILE } };
    }),
  };
}

function spoil(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return OURS.has(name) ? value : HOSTILE;
  if (Array.isArray(value)) return value.map((each) => spoil(each, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spoil(each, key)]));
}
