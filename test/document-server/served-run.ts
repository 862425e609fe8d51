import { realClock } from '../../src/model/clock.ts';
import { type Finding, isProblem } from '../../src/model/finding.ts';
import { forwarder } from '../../src/proxy/http/forward.ts';
import { listen } from '../../src/proxy/http/listen.ts';
import { LiveJudge } from '../../src/proxy/judging/live-judge.ts';
import { conduct } from '../../src/run/conduct.ts';
import { type Interface, interfaceOf } from '../../src/run/contract-of.ts';
import { DEFAULT_OPTIONS, type RunOptions } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { type DocumentServerSettings, startDocumentServer } from '../../src/server/index.ts';

/** What a run of a document's server found, and what its traffic shows to a proxy between them. */
export interface ServedRun {
  run: Problem[];
  traffic: Problem[];
  /** Operations that got a success that the document lists, and all of them. */
  operations: number;
  reached: number;
  requests: number;
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
  options: Partial<RunOptions> = {},
): Promise<ServedRun> {
  const judging = await interfaceOf({ interface: file });
  const { contract, checks } = judging;
  const server = await startDocumentServer(contract, { clock: realClock, apiKey: KEY, ...settings });
  const { origin, pathname } = new URL(server.baseUrl);
  const live = liveJudgeOf(judging, server.baseUrl);
  const forward = forwarder({
    origin,
    isJudged: () => true,
    onPassed: (passed) => live.add(passed),
    onUnjudged: () => live.omit('other-path'),
    onUnanswered: () => live.omit('aborted'),
  });
  const listening = await listen(forward.handle, { host: '127.0.0.1', port: 0 });
  const baseUrl = listening.origin + pathname.replace(/\/$/, '');
  try {
    const chosen = { ...DEFAULT_OPTIONS, write: true, ...options };
    const plan = makePlan(contract, checks, chosen);
    const target = { baseUrl, apiKey: KEY, servers: serversOf(judging, baseUrl) };
    const conducted = await conduct(contract, plan, chosen, target, { clock: realClock });
    const answered = conducted.exchanges.flatMap(({ operation, response }) =>
      operation !== undefined && response !== undefined && response.status < 300 ? [operation] : [],
    );
    return {
      run: problemsIn(conducted.findings),
      traffic: problemsIn(live.close().judged.findings),
      operations: contract.operations.length,
      reached: new Set(answered).size,
      requests: conducted.exchanges.length,
    };
  } finally {
    await listening.close();
    await forward.close();
    await server.close();
  }
}

/** All servers of a document are at one address. */
function serversOf({ contract }: Interface, url: string): Record<string, string> {
  const others = contract.operations.map(({ address }) => address).filter((each) => each !== 'baseUrl');
  return Object.fromEntries(others.map((each) => [each, url]));
}

function liveJudgeOf(judging: Interface, url: string): LiveJudge {
  return new LiveJudge(judging.contract, judging.checks, {
    servers: { baseUrl: url, ...serversOf(judging, url) },
    redact: [],
  });
}

function problemsIn(findings: Readonly<Record<string, Finding>>): Problem[] {
  return Object.entries(findings)
    .filter(([, finding]) => isProblem(finding))
    .map(([requirement, { reason, expected, received }]) => ({
      requirement,
      words: `${reason} (expected ${expected}, received ${received})`,
    }));
}
