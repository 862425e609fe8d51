import { randomBytes } from 'node:crypto';
import { lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Longest wait for a lock, in ms; an addition takes a few ms. */
const MAX_WAIT = 120_000;

/** Age in ms after which a lock of another machine counts as abandoned: its processes cannot be seen from here. */
const MAX_AGE = 600_000;

/** The process that holds a lock. */
interface Holder {
  id: string;
  pid: number;
  /** The machine, and on Linux the pid namespace, in which `pid` is valid. */
  place: string;
}
export class LockProblem extends Error {
  override name = 'LockProblem';
}

/**
 * Runs an action while no other process holds the lock. The lock is a symbolic link that names its holder, because a link
 * is created in one step. A killed process leaves its lock, and the next process removes it.
 * @throws LockProblem if another process holds it for too long
 */
export async function withLock<Result>(path: string, act: () => Result): Promise<Result> {
  const release = await acquire(path, performance.now() + MAX_WAIT);
  try {
    return act();
  } finally {
    release();
  }
}

async function acquire(path: string, until: number): Promise<() => void> {
  const self: Holder = { id: randomBytes(6).toString('hex'), pid: process.pid, place: placeOf() };
  while (!isTaken(path, self)) {
    const holder = holderOf(path);
    if (holder && isAbandoned(path, holder)) {
      // To remove an abandoned lock, a process first locks it: so nobody removes a lock that was created meanwhile.
      const release = await acquire(`${path}.${holder.id}`, until);
      if (holderOf(path)?.id === holder.id) rmSync(path, { force: true });
      release();
    } else if (performance.now() > until)
      throw new LockProblem(`${path}: another petspec holds this lock; if none is running, delete it`);
    else await pause(5 + Math.random() * 20);
  }
  return () => {
    if (holderOf(path)?.id === self.id) rmSync(path, { force: true });
  };
}

function isTaken(path: string, self: Holder): boolean {
  try {
    symlinkSync(JSON.stringify(self), path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The holder of a lock, or undefined if it was released. */
function holderOf(path: string): Holder | undefined {
  try {
    const { id, pid, place } = JSON.parse(readlinkSync(path)) as Record<string, unknown>;
    if (/^[0-9a-f]{12}$/.test(String(id))) return { id: String(id), pid: Number(pid), place: String(place) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  }
  throw new LockProblem(`${path}: not a lock of petspec; delete it if nothing else needs it`);
}

/** Whether the process that made a lock has ended. */
function isAbandoned(path: string, { pid, place }: Holder): boolean {
  if (place !== placeOf()) {
    const { mtimeMs } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
    return mtimeMs !== undefined && Date.now() - mtimeMs > MAX_AGE;
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** The namespace counts because two containers may have the same host name and the same process ids. */
function placeOf(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
