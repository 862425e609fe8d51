import { type RunSettings, run } from '../../src/index.ts';
import { realClock, VirtualClock } from '../../src/model/clock.ts';
import type { Contract } from '../../src/model/contract.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { type Finding, isProblem } from '../../src/model/finding.ts';
import type { Report } from '../../src/model/report/report.ts';
import { forwarder } from '../../src/proxy/http/forward.ts';
import { listen } from '../../src/proxy/http/listen.ts';
import { LiveJudge } from '../../src/proxy/judging/live-judge.ts';
import { interfaceOf } from '../../src/run/contract-of.ts';
import { type DocumentServerSettings, startDocumentServer } from '../../src/server/document-server.ts';

/** What a run of a document's server found, and what its traffic shows to a proxy between them, whose time is real. */
export interface ServedRun {
  report: Report;
  run: Problem[];
  traffic: Problem[];
  /** What passed, or the beginning of it. */
  exchanges: readonly Exchange[];
  /** How many operations the document has, and how many of them had a success. */
  operations: number;
  reached: number;
}

/** A violation or an advisory. */
export interface Problem {
  requirement: string;
  words: string;
}

const KEY = 'a-key-of-a-document-4711';

/** Serves a document, runs petspec against the server through a proxy, and judges by both. */
export async function servedRun(
  file: string,
  settings: Partial<DocumentServerSettings> = {},
  options: RunSettings = {},
): Promise<ServedRun> {
  const { contract } = await interfaceOf({ interface: file });
  const { clock = realClock } = settings;
  const server = await startDocumentServer(contract, { ...settings, clock, apiKey: KEY });
  try {
    return await runThroughProxy(file, server.baseUrl, { clock, write: true, apiKey: KEY, ...options });
  } finally {
    await server.close();
  }
}

/** Runs petspec against a service through a proxy, and judges by both. */
export async function runThroughProxy(
  file: string,
  target: string,
  options: RunSettings,
): Promise<ServedRun> {
  const { contract, checks } = await interfaceOf({ interface: file });
  const { origin, pathname } = new URL(target);
  const reached = new Set<string>();
  const live = new LiveJudge(contract, checks, {
    servers: { baseUrl: target, ...serversOf(contract, target) },
    redact: [],
    onSeen: ({ operation, response }) => {
      if (operation !== undefined && response !== undefined && response.status < 300) reached.add(operation);
    },
  });
  const forward = forwarder({
    origin,
    isJudged: () => true,
    onPassed: (passed) => live.add(passed),
    onUnjudged: () => live.omit('other-path'),
    onUnanswered: () => live.omit('aborted'),
  });
  const listening = await listen(forward.handle, { host: '127.0.0.1', port: 0 });
  try {
    const baseUrl = listening.origin + pathname.replace(/\/$/, '');
    const servers = serversOf(contract, baseUrl);
    const stated = { baseUrl, interface: file, ...options };
    const report = await run({ ...stated, ...(Object.keys(servers).length > 0 ? { servers } : {}) });
    await listening.close();
    await forward.close();
    const { judged } = live.close();
    return {
      report,
      run: problemsIn(report.requirements),
      traffic: problemsIn(Object.entries(judged.findings).map(([id, each]) => ({ id, ...each }))),
      exchanges: judged.exchanges,
      operations: contract.operations.length,
      reached: reached.size,
    };
  } finally {
    await listening.close();
    await forward.close();
  }
}

const LIMITS = { minute: 40 };
const NOON = Date.UTC(2026, 10, 21, 12);

/** Serves a document with a general fault: with a limit, if that is what it is about. */
export function servedRunOf(file: string, fault: string): Promise<ServedRun> {
  const faults = [fault];
  return fault === 'late-429'
    ? servedRun(file, { faults, limits: LIMITS, clock: new VirtualClock(NOON) }, { limits: LIMITS })
    : servedRun(file, { faults });
}

/** All servers of a document are at one address. */
function serversOf({ operations }: Contract, url: string): Record<string, string> {
  const others = operations.map(({ address }) => address).filter((each) => each !== 'baseUrl');
  return Object.fromEntries(others.map((each) => [each, url]));
}

type Judged = Pick<Finding, 'status' | 'reason' | 'expected' | 'received'>;

function problemsIn(findings: readonly (Judged & { id: string })[]): Problem[] {
  return findings.filter(isProblem).map(({ id, reason, expected, received }) => ({
    requirement: id,
    words: `${reason} (expected ${expected}, received ${received})`,
  }));
}
