import { randomBytes } from 'node:crypto';
import { lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** ms to wait for a lock; an addition takes a few. */
const MAX_WAIT = 120_000;

/** ms after which a lock of another machine, whose processes cannot be seen from here, is taken for abandoned. */
const MAX_AGE = 600_000;

/** Who holds a lock. */
interface Holder {
  id: string;
  pid: number;
  /** The machine, and on Linux the namespace, that the process id is of. */
  place: string;
}

/** A lock was not released in time. */
export class LockProblem extends Error {
  override name = 'LockProblem';
}

/**
 * Runs an action while no other process holds the lock. The lock is a symbolic link: it is made, with its holder, in one
 * step. A process that is killed leaves it, and the next one removes it.
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
  const own: Holder = { id: randomBytes(6).toString('hex'), pid: process.pid, place: placeOf() };
  while (!isTaken(path, own)) {
    const holder = holderOf(path);
    if (holder && isAbandoned(path, holder)) {
      // Only who holds the lock on an abandoned lock may remove it. So nobody removes a lock that was made since.
      const release = await acquire(`${path}.${holder.id}`, until);
      if (holderOf(path)?.id === holder.id) rmSync(path, { force: true });
      release();
    } else if (performance.now() > until)
      throw new LockProblem(`${path}: another petspec holds this lock; if none is running, delete it`);
    else await pause(5 + Math.random() * 20);
  }
  return () => {
    if (holderOf(path)?.id === own.id) rmSync(path, { force: true });
  };
}

function isTaken(path: string, own: Holder): boolean {
  try {
    symlinkSync(JSON.stringify(own), path);
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

/** Two containers may have the same name and the same process ids. */
function placeOf(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
