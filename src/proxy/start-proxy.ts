import type { Contract } from '../model/contract.ts';
import type { OmissionKind } from '../recording/recorded.ts';
import { basesOf, unmatchedKind } from '../recording/servers.ts';
import { attempt } from '../traffic/bugs.ts';
import { countTrafficCoverage } from '../traffic/coverage/coverage.ts';
import { unlistedBelow } from '../traffic/coverage/undocumented.ts';
import { matchOperation, type Servers } from '../traffic/match-operation.ts';
import { type Forwarder, type ForwardOptions, forwarder } from './http/forward.ts';
import { type ListenPlace, listen } from './http/listen.ts';
import { SharedMemory, type Unanswered } from './http/passed.ts';
import { type Closed, type JudgeThread, judgeThread, type ThreadOptions } from './judging/judge-thread.ts';
import type { NewFinding } from './judging/new-findings.ts';
import { type Live, serveLive } from './page/live-page.ts';

/** The target of a proxy, where it listens, and how it judges. */
export interface ProxyOptions {
  contract: Contract;
  /** Base URL of the target. */
  target: string;
  /** That, and the base URLs of the other servers of the interface. */
  servers: Servers;
  network: NonNullable<ForwardOptions['network']>;
  place: ListenPlace;
  pagePlace: ListenPlace;
  /** Called once both ports are open: nothing is written before. */
  judging(): ThreadOptions;
  onNewFinding(finding: NewFinding): void;
  /** Called once: a bug of petspec keeps a request from being judged. The others are judged. */
  onOdd(): void;
  /** Nothing is judged any more, because of a bug of petspec. Requests still pass. */
  onBug(): void;
}

/** A proxy that runs. */
export interface RunningProxy {
  /** The base URL for clients, and that of the live page. */
  baseUrl: string;
  pageUrl: string;
  /** Ends it: open requests have a moment to end. @throws the error of the thread that judges: a bug of petspec */
  close(): Promise<Closed>;
}

/** The server that could not listen, and why. */
export class ListenError extends Error {
  override name = 'ListenError';
  readonly isPage: boolean;
  readonly code: string;

  constructor(isPage: boolean, cause: unknown) {
    super('cannot listen', { cause });
    this.isPage = isPage;
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  }
}

/** Ways of violating that the page shows. */
const MAX_NEW_FINDINGS = 20;

/** ms that open requests have to end. */
const PATIENCE_MS = 2_000;

const OMITTED: Readonly<Record<Unanswered, OmissionKind>> = {
  unreachable: 'unreachable',
  'broken-off': 'aborted',
  'client-left': 'client-left',
};

/**
 * Starts a reverse proxy that judges the traffic, and a page that shows it.
 * @throws ListenError; the error of the file system if the ledger cannot be made
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { contract, target, place, pagePlace } = options;
  const closing: (() => Promise<unknown>)[] = [];
  const room = new SharedMemory();
  const live: Live = liveAtFirst(contract, target);
  const asListenError = (isPage: boolean) => (error: unknown) =>
    Promise.reject(new ListenError(isPage, error));
  // Requests that arrive before the judge has started wait for it.
  const waiting: Parameters<Handle>[] = [];
  let handle: Handle = (...call) => waiting.push(call);
  try {
    const listening = await listen((...call) => handle(...call), place).catch(asListenError(false));
    closing.unshift(() => listening.close());
    live.proxy = listening.origin + new URL(target).pathname.replace(/\/+$/, '');
    const page = await serveLive(pagePlace, live).catch(asListenError(true));
    closing.unshift(() => page.close());
    const judging = await startJudging(options, room, live, () => page.tell(live));
    const forward = forwardTo(options, room, judging);
    handle = (request, response) => {
      const passed = attempt(() => forward.handle(request, response));
      if (!('error' in passed)) return;
      response.destroy();
      judging.thread.omit('bug');
    };
    for (const call of waiting) handle(...call);
    return {
      baseUrl: live.proxy,
      pageUrl: `${page.origin}/`,
      async close() {
        await listening.close(PATIENCE_MS);
        await forward.close();
        return judging.thread.close().finally(page.close);
      },
    };
  } catch (error) {
    await Promise.allSettled(closing.map((close) => close()));
    throw error;
  }
}

/** The thread that judges, and whether a bug of petspec has ended it. */
interface TrafficJudge {
  thread: JudgeThread;
  isBroken: () => boolean;
}

/** Starts the thread that judges. Its results are added to `live`. @param tell updates the open pages */
async function startJudging(
  { judging, onNewFinding, onOdd, onBug }: ProxyOptions,
  room: SharedMemory,
  live: Live,
  tell: () => void,
): Promise<TrafficJudge> {
  let isBroken = false;
  let isOdd = false;
  const thread = await judgeThread(judging(), room, {
    onLook(look) {
      live.newFindings = [...look.newFindings.toReversed(), ...live.newFindings].slice(0, MAX_NEW_FINDINGS);
      live.ways += look.newFindings.length;
      live.state = look.state;
      if (look.state.omissions.bug !== undefined && !isOdd) onOdd();
      isOdd ||= look.state.omissions.bug !== undefined;
      live.coverage = look.coverage;
      tell();
      for (const finding of look.newFindings) onNewFinding(finding);
    },
    onBug() {
      isBroken = true;
      onBug();
    },
  });
  return { thread, isBroken: () => isBroken };
}

/** Passes requests on to the target, and exchanges to the thread that judges. */
function forwardTo(
  { contract, target, servers, network }: ProxyOptions,
  room: SharedMemory,
  { thread, isBroken }: TrafficJudge,
): Forwarder {
  return forwarder({
    ...{ origin: new URL(target).origin, network, room },
    isJudged: (method, url) => !isBroken() && isOfInterface(contract, servers, method, url),
    onPassed: (passed) => thread.add(passed),
    onUnjudged(method, url) {
      const why = whyUnjudged(contract, servers, method, url);
      thread.omit(why);
      const name = why === 'other-path' ? unlistedBelow(servers, { method, url }) : undefined;
      if (name !== undefined) thread.unlisted(name);
    },
    onUnanswered: (why) => thread.omit(OMITTED[why]),
  });
}

/** Whether a request is for an operation. If a bug hides that, the request is judged, so that the thread reports the bug. */
function isOfInterface(contract: Contract, servers: Servers, method: string, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const match = attempt(
    () =>
      matchOperation(contract, servers, method, new URL(url)) !== undefined ||
      basesOf(contract, { method, url }).length > 0,
  );
  return 'error' in match || match.value;
}

/** Why nobody judges a request: a stream, for example, is an operation that exists. */
function whyUnjudged(contract: Contract, servers: Servers, method: string, url: string): OmissionKind {
  return URL.canParse(url) ? unmatchedKind(contract, servers, { method, url }) : 'other-path';
}

type Handle = Forwarder['handle'];

function liveAtFirst(contract: Contract, target: string): Live {
  return {
    target,
    proxy: '',
    startedAt: Date.now(),
    state: { requests: 0, judged: 0, omissions: {}, statuses: {} },
    coverage: countTrafficCoverage(contract).result(),
    newFindings: [],
    ways: 0,
  };
}
