import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { Check } from '../../src/judge/evidence/check.ts';
import { LiveJudge } from '../../src/proxy/judging/live-judge.ts';
import { judgeRecordings } from '../../src/recording/judge-recording.ts';
import type { JudgeOptions } from '../../src/recording/judgment.ts';
import type { ReadLine } from '../../src/recording/reading/entry.ts';
import { assembleRecording, countRecorded } from '../../src/report/assemble/assemble-recording.ts';
import { allChecks } from '../../suites/index.ts';

const contract = loadContract();
const checks = allChecks(contract);
const BASE = 'http://127.0.0.1:4711/v1';
const ODD = 'status=sold';

/** Checks of which one has a bug, which a request with a certain query shows. */
const oneOdd = checks.map((check): Check => {
  if (check.requirement !== 'listPets.200') return check;
  return {
    ...check,
    judge(evidence) {
      if (evidence.judged.some(({ exchange }) => exchange.url.includes(ODD)))
        throw new TypeError('Invalid URL');
      return check.judge(evidence);
    },
  };
});

const HEAD = {
  method: 'GET',
  requestHeaders: [['Authorization', 'Bearer a-key-4711-0815']] as const,
  isTimed: true,
  isHeadComplete: true,
};
const responseOf = (body: string) => ({
  status: 200,
  headers: [
    ['Content-Type', 'application/json'],
    ['Date', 'Sat, 21 Nov 2026 12:00:20 GMT'],
  ] as const,
  body,
});

/** Lists of animals; one is a violation, and some have the odd query. */
const traffic: ReadLine[] = ['', `?${ODD}`, '?limit=2', `?${ODD}&limit=5`, '?limit=3'].map(
  (query, index) => ({
    recorded: {
      ...HEAD,
      url: `${BASE}/pets${query}`,
      sentAt: 1_000 * index,
      receivedAt: 1_000 * index + 5,
      response: responseOf(query === '?limit=3' ? '{}' : '[]'),
    },
  }),
);

/** The same without the odd ones. */
const ordinary = traffic.filter((each) => !JSON.stringify(each).includes(ODD));

async function* entriesOf(all: readonly ReadLine[]) {
  yield* all;
}

function judged(all: readonly Check[], options: Partial<JudgeOptions> = {}, lines = traffic) {
  return judgeRecordings(contract, all, [{ name: 'a.har', entries: entriesOf(lines) }], {
    servers: { baseUrl: BASE },
    redact: [],
    ...options,
  });
}

describe('a request that petspec cannot judge because of a bug', () => {
  test('is counted and named, and the others are judged as without it', async () => {
    const { findings, files, bug } = await judged(oneOdd);
    expect(files).toEqual([{ name: 'a.har', entries: 5, judged: 3, omissions: { bug: 2 } }]);
    expect(bug).toEqual(new TypeError('Invalid URL'));
    expect(findings).toEqual((await judged(checks, {}, ordinary)).findings);
    expect(Object.values(findings).map(({ status }) => status)).toContain('violated');
  });

  test('may also fail when its secrets are hidden, or when it is counted', async () => {
    const capturing = await judged(checks, {
      onCaptured({ url }) {
        if (url.includes(ODD)) throw new RangeError('odd');
      },
    });
    expect(capturing.files).toMatchObject([{ judged: 3, omissions: { bug: 2 } }]);
    const counting = await judged(checks, {
      onExchange({ url }) {
        if (url.includes(ODD)) throw new RangeError('odd');
      },
    });
    expect(counting.files).toMatchObject([{ judged: 5 }]);
    expect(counting.bug).toEqual(new RangeError('odd'));
  });

  test('is in the report', async () => {
    const counts = countRecorded(contract, checks).result();
    const report = assembleRecording(contract, { strict: false, counts }, await judged(oneOdd));
    expect(report.recording?.files[0]?.omitted).toEqual([
      { kind: 'bug', count: 2, text: 'not judged because of a bug of petspec; please report it' },
    ]);
    expect(report.verdict).toBe('non-conformant');
  });

  test('does not end the judging of live traffic', () => {
    const judge = new LiveJudge(contract, oneOdd, { servers: { baseUrl: BASE }, redact: [] });
    const flat = (lines: readonly (readonly string[])[]) => lines.flat();
    for (const [index, query] of ['', `?${ODD}`, '?limit=3'].entries()) {
      judge.add({
        method: 'GET',
        url: `${BASE}/pets${query}`,
        requestHeaders: flat(HEAD.requestHeaders),
        requestBody: { bytes: '', size: 0 },
        sentAt: 1_000 * index,
        receivedAt: 1_000 * index + 5,
        status: 200,
        responseHeaders: flat(responseOf('').headers),
        responseBody: { bytes: query === '?limit=3' ? '{}' : '[]', size: 2 },
      });
      judge.look();
    }
    expect(judge.state).toMatchObject({ requests: 3, judged: 2, omissions: { bug: 1 } });
    const { judged: all } = judge.close();
    expect(all.files).toMatchObject([{ entries: 3, judged: 2, omissions: { bug: 1 } }]);
  });
});
