import type { HeaderLine } from '../model/exchange.ts';
import { atOnce, type Steps } from '../model/large/steps.ts';
import { UsageError } from '../model/usage-error.ts';
import { attempt, withoutOdd } from '../traffic/bugs.ts';
import { unlistedBelow } from '../traffic/coverage/undocumented.ts';
import type { Servers } from '../traffic/match-operation.ts';
import { type Captured, recordingCapture } from './capture/capture.ts';
import type { JudgedFile, RecordingJudgment, RecordingPart } from './judgment.ts';
import type { ReadLine } from './reading/entry.ts';
import { MAX_PART, MAX_PART_SIZE, type OmissionKind, parsedSizeOf, type Recorded } from './recorded.ts';
import { withoutRepeated } from './repeated.ts';
import { type Matched, matchedIn, withChanged, writtenPath } from './requests.ts';
import { basesOf, isAt, tellServers, unmatchedKind } from './servers.ts';
import { forgetSome, nothingKnown } from './standing.ts';

/** Entries that wait for a glance. If more come than there is time for, the earliest are only judged with their part. */
const MAX_UNSEEN = 300;

/** The longest address of an unlisted request that is kept, in characters. */
const MAX_ADDRESS = 2_000;

/** Why an entry is not judged. */
interface OmittedEntry {
  omitted: OmissionKind;
  captured?: Captured;
}

/** Judges the entries of one recording as they come. */
export class FileJudge {
  readonly #judgment: RecordingJudgment;
  readonly #capture: ReturnType<typeof recordingCapture>;
  readonly #file: JudgedFile;
  readonly #knownKeys = nothingKnown();
  #servers: Servers;
  /** Captured and not yet judged. */
  #part: Captured[] = [];
  #partSize = 0;
  /** Entries of the part without a glance so far. */
  #unseen: Captured[] = [];
  /** Paths to which unlisted requests of the part wrote. */
  #written: string[] = [];
  /** When the latest request so far was sent, in ms since the epoch. */
  #latest = 0;
  /** The number of requests without an operation, by origin and reason: a later part shows which origin is the server. */
  readonly #unmatched = new Map<string, Map<OmissionKind, number>>();
  /** Requests without an operation, and without their queries, until the base URL is known. */
  readonly #unlisted: Pick<Recorded, 'method' | 'url'>[] = [];

  /** @param name what messages call the recording */
  constructor(name: string, judgment: RecordingJudgment) {
    const { contract, options } = judgment;
    this.#judgment = judgment;
    this.#capture = recordingCapture(contract, options.redact);
    this.#file = { name, entries: 0, judged: 0, omissions: {} };
    this.#servers = options.servers;
  }

  /** @throws UsageError if the recording has several servers and the user names none */
  add(entry: ReadLine): void {
    if (entry === 'nothing') return;
    if ('addresses' in entry) {
      this.#servers = { ...entry.addresses, ...this.#judgment.options.servers };
      return;
    }
    if ('omitted' in entry) {
      // An entry that the end of the file cuts off does not count.
      if (entry.omitted !== 'cut-off') this.#file.entries += 1;
      this.#omit(entry.omitted);
      return;
    }
    this.#file.entries += 1;
    const position = this.#file.entries;
    const done = attempt(() => this.#addRecorded({ ...entry.recorded, position }));
    if ('error' in done) this.#leaveOut(done.error, 1);
  }

  /**
   * Judges what is left.
   * @throws UsageError as {@link add} does
   */
  close(): JudgedFile {
    if (this.#part.length > 0) this.#judgePart();
    for (const [origin, counts] of this.#unmatched)
      for (const [kind, count] of counts)
        this.#omit(isAt(this.#servers, origin) ? kind : 'other-server', count);
    this.#tellUnlisted();
    return this.#file;
  }

  /** Reports the requests without an operation, once it is known which of them are below a server. */
  #tellUnlisted(): void {
    if (this.#servers.baseUrl === undefined) return;
    for (const request of this.#unlisted.splice(0)) {
      const name = unlistedBelow(this.#servers, request);
      if (name !== undefined) this.#judgment.options.onUnlisted?.(name, 1);
    }
  }

  #noteUnlisted({ method, url, own }: Pick<Recorded, 'method' | 'url' | 'own'>): void {
    if (own !== undefined) return;
    const { origin, pathname } = new URL(url);
    const address = origin + pathname;
    if (this.#unlisted.length < MAX_PART && address.length <= MAX_ADDRESS)
      this.#unlisted.push({ method, url: address });
    this.#tellUnlisted();
  }

  /** Counts exchanges that petspec cannot judge because of a bug. */
  #leaveOut(error: unknown, count: number): void {
    this.#judgment.bugs.note(error, count);
    this.#omit('bug', count);
  }

  #omit(kind: OmissionKind, count = 1): void {
    const { omissions } = this.#file;
    omissions[kind] = (omissions[kind] ?? 0) + count;
  }

  #addRecorded(recorded: Recorded): void {
    const { own, response, sentAt, url, isHeadComplete } = recorded;
    this.#judgment.otherBases.add(recorded);
    if (!this.#isCandidate(recorded)) {
      if (this.#written.length < MAX_PART) this.#written.push(...writtenPath(recorded));
      const { origin } = new URL(url);
      const counts = this.#unmatched.get(origin) ?? new Map<OmissionKind, number>();
      const kind = unmatchedKind(this.#judgment.contract, this.#servers, recorded);
      this.#unmatched.set(origin, counts.set(kind, (counts.get(kind) ?? 0) + 1));
      if (kind === 'other-path') this.#noteUnlisted(recorded);
      return;
    }
    if (response && !own && !isHeadComplete && !hasHeaders(response.headers)) {
      this.#omit('no-headers');
      return;
    }
    if (response?.unread !== undefined && !own) this.#omit('body-missing');
    // petspec proxy writes exchanges in the order in which they end.
    if (sentAt < this.#latest && !own && recorded.entry === undefined) this.#omit('out-of-order');
    this.#latest = Math.max(this.#latest, sentAt);
    const captured = this.#capture(recorded);
    if (!captured) {
      this.#omit('too-many-secrets');
      return;
    }
    this.#judgment.options.onCaptured?.(captured);
    this.#part.push(captured);
    this.#unseen.push(captured);
    this.#partSize += parsedSizeOf(captured);
    if (this.#part.length >= MAX_PART || this.#partSize > MAX_PART_SIZE) this.#judgePart();
  }

  /** Whether an entry may be for one of the servers, so that it is kept until they are known. */
  #isCandidate(recorded: Recorded): boolean {
    return (
      recorded.own !== undefined ||
      isAt(this.#servers, recorded.url) ||
      basesOf(this.#judgment.contract, recorded).length > 0
    );
  }

  /** What the entries of the unfinished part show, in steps. They are judged again later, with those that follow. */
  *previewing(): Steps<RecordingPart | undefined> {
    if (this.#part.length === 0) return undefined;
    try {
      return yield* this.#previewingOf(this.#part);
    } catch {
      this.#leaveOutOdd();
      return this.#part.length === 0 ? undefined : yield* this.#previewingOf(this.#part);
    }
  }

  /**
   * What the entries since the last glance show, each by itself. They are judged again later, with the others.
   * @param most how many entries to look at: the next glance continues
   */
  *glance(most: number): Generator<RecordingPart> {
    this.#unseen.splice(0, this.#unseen.length - MAX_UNSEEN);
    for (const captured of this.#unseen.splice(0, most)) {
      const seen = attempt(() => this.#glanceAt(captured));
      // Bugs are counted when the part is judged.
      if ('value' in seen && seen.value) yield seen.value;
    }
  }

  #glanceAt(captured: Captured): RecordingPart | undefined {
    const servers = this.#serversOf([captured]);
    const [matched] = this.#inOrder([captured], servers).matched;
    return matched && this.#judgment.glance(matched, servers);
  }

  #previewingOf(part: readonly Captured[]): Steps<RecordingPart> {
    const servers = this.#serversOf(part);
    return this.#judgment.previewing(this.#inOrder(part, servers).matched, servers, this.#knownKeys);
  }

  #judgePart(): void {
    if ('error' in attempt(() => this.#addPart())) {
      this.#leaveOutOdd();
      const done = attempt(() => this.#addPart());
      if ('error' in done) this.#leaveOut(done.error, this.#part.length);
    }
    forgetSome(this.#knownKeys);
    this.#part = [];
    this.#unseen = [];
    this.#partSize = 0;
    this.#written = [];
  }

  #addPart(): void {
    const servers = this.#serversOf(this.#part);
    const { matched, omitted } = this.#inOrder(this.#part, servers);
    const { judged, unsearched } = this.#judgment.addPart(matched, servers, this.#knownKeys);
    this.#servers = servers;
    this.#file.judged += judged;
    for (const { omitted: kind, captured } of omitted) {
      this.#omit(kind);
      if (kind === 'other-path' && captured) this.#noteUnlisted(captured);
    }
    if (unsearched > 0) this.#omit('unexplained', unsearched);
  }

  /** Leaves out the entries that petspec cannot judge because of a bug. */
  #leaveOutOdd(): void {
    const { left, error } = withoutOdd(this.#part, (entries) =>
      attempt(() => atOnce(this.#previewingOf(entries))),
    );
    if (left.length < this.#part.length) this.#leaveOut(error, this.#part.length - left.length);
    this.#part = [...left];
  }

  /** The requests of a part that have an operation, without duplicates, and why the others are left out. */
  #inOrder(part: readonly Captured[], servers: Servers): { matched: Matched[]; omitted: OmittedEntry[] } {
    const { contract } = this.#judgment;
    const written = [...this.#written];
    const omitted: OmittedEntry[] = [];
    const inOrder = matchedIn(contract, servers, part.toSorted(bySending)).flatMap((match): Matched[] => {
      if (!('omitted' in match)) return [match];
      omitted.push(match);
      written.push(...writtenPath(match.captured));
      return [];
    });
    const once = withoutRepeated(inOrder, () => omitted.push({ omitted: 'twice' }));
    return { matched: withChanged(contract, once, written), omitted };
  }

  /** @throws UsageError if the recording has several servers and the user names none */
  #serversOf(part: readonly Captured[]): Servers {
    const servers = this.#servers;
    if (servers.baseUrl !== undefined && servers.apiUrl !== undefined) return servers;
    const answer = tellServers(this.#judgment.contract, part, servers);
    if ('servers' in answer) return answer.servers;
    if ('nothing' in answer) return servers;
    const list = answer.doubt.map(({ base, requests }) => `${base} (${requests})`).join(', ');
    throw new UsageError(
      `${this.#file.name}: requests to several servers: ${list}; name one with --base-url`,
    );
  }
}

/** The headers that a page may read of another origin unless the service exposes more (Fetch, section 3.3.3). */
const EXPOSED =
  /^(?:cache-control|content-language|content-length|content-type|expires|last-modified|pragma)$/i;

/** Recorders that omit headers omit those that every response has, or all that a page may not read. */
function hasHeaders(headers: readonly HeaderLine[]): boolean {
  return (
    headers.some(([name]) => /^(?:date|content-type|content-length)$/i.test(name)) &&
    headers.some(([name]) => !EXPOSED.test(name))
  );
}

/** A run numbers its requests in the order of sending, which a virtual clock does not show. */
function bySending(left: Captured, right: Captured): number {
  return left.own && right.own ? left.own.id - right.own.id : left.sentAt - right.sentAt;
}
