import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { realClock, steady, VirtualClock } from './clock.ts';

const START = 1_000_000;
const TICK = 5;

/** Lets all queued work run, including the jumps of time. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock, and what woke on it: when, by its own time. */
function started() {
  const clock = new VirtualClock(START, TICK);
  const woken: [name: string, after: number][] = [];
  const note = (name: string) => () => void woken.push([name, clock.now() - START]);
  const sleeper = (name: string, ms: number, signal?: AbortSignal) =>
    void clock.sleep(ms, signal).then(note(name));
  const pausing = (name: string, ms: number, signal: AbortSignal) =>
    void clock.pause(ms, signal).then(note(name));
  return { clock, woken, sleeper, pausing };
}

const never = new AbortController().signal;

describe('nothing in flight', () => {
  test('time jumps from sleeper to sleeper, the earliest first, simultaneous ones in their order', async () => {
    const { clock, woken, sleeper } = started();
    sleeper('late', 60_000);
    sleeper('soon', 10);
    sleeper('soon too', 10);
    sleeper('now', 0);
    sleeper('before now', -5);
    await settled();
    expect(woken).toEqual([
      ['now', 0],
      ['before now', 0],
      ['soon', 10],
      ['soon too', 10],
      ['late', 60_000],
    ]);
    expect(clock.now()).toBe(START + 60_000);
  });

  test('a sleeper that wakes may sleep again before longer sleepers wake', async () => {
    const { clock, woken, sleeper } = started();
    sleeper('long', 100);
    void clock.sleep(10).then(() => sleeper('again', 20));
    await settled();
    expect(woken).toEqual([
      ['again', 30],
      ['long', 100],
    ]);
  });

  test('a signal ends a sleep at once, and no time passes', async () => {
    const { clock, woken, sleeper } = started();
    const answered = clock.hold();
    const end = new AbortController();
    sleeper('aborted', 60_000, end.signal);
    sleeper('aborted before', 60_000, AbortSignal.abort());
    end.abort();
    await settled();
    expect(woken).toEqual([
      ['aborted before', 0],
      ['aborted', 0],
    ]);
    answered('answered');
  });

  test('an endless sleep lets no time pass and ends with its signal', async () => {
    const { clock, woken, sleeper } = started();
    const end = new AbortController();
    sleeper('endless', Number.POSITIVE_INFINITY, end.signal);
    await settled();
    expect(clock.now()).toBe(START);
    end.abort();
    await settled();
    expect(woken).toEqual([['endless', 0]]);
  });
});

describe('requests in flight', () => {
  test('time stands still until the last has a response; each response takes a tick', async () => {
    const { clock, woken, sleeper } = started();
    const [one, two, three] = [clock.hold(), clock.hold(), clock.hold()];
    sleeper('timeout', 10_000);
    two('answered');
    await settled();
    one('answered');
    await settled();
    expect([clock.now() - START, woken]).toEqual([2 * TICK, []]);
    three('answered');
    await settled();
    expect(woken).toEqual([['timeout', 10_000]]);
  });

  test('a response may arrive after a sleeper was due; time does not go back', async () => {
    const { clock, woken, sleeper } = started();
    sleeper('soon', 2);
    clock.hold()('answered');
    await settled();
    expect(woken).toEqual([['soon', TICK]]);
  });

  test('a request that the server pauses does not hold time; another one does', async () => {
    const { clock, woken, sleeper, pausing } = started();
    const [slow, quick] = [clock.hold(), clock.hold()];
    sleeper('timeout', 10_000);
    pausing('delay', 3_000, never);
    await settled();
    expect(woken).toEqual([]);
    quick('answered');
    await settled();
    expect(woken).toEqual([['delay', 3_000]]);
    slow('answered');
    await settled();
    expect(woken).toEqual([
      ['delay', 3_000],
      ['timeout', 10_000],
    ]);
  });

  test('of two pauses the shorter ends first, and time stands still until its response', async () => {
    const { clock, woken, pausing } = started();
    const [one, two] = [clock.hold(), clock.hold()];
    pausing('long', 2_000, never);
    pausing('short', 1_000, never);
    await settled();
    expect(woken).toEqual([['short', 1_000]]);
    one('answered');
    await settled();
    expect(woken).toEqual([
      ['short', 1_000],
      ['long', 2_000],
    ]);
    two('answered');
    expect(clock.now()).toBe(START + 2_000 + TICK);
  });

  test('a request that hangs is abandoned at its timeout; the next one holds time again', async () => {
    const { clock, woken, sleeper, pausing } = started();
    const closed = new AbortController();
    const hanging = clock.hold();
    pausing('connection closed', Number.POSITIVE_INFINITY, closed.signal);
    await clock.sleep(10_000);
    hanging('abandoned');
    const next = clock.hold();
    sleeper('later', 1_000);
    await settled();
    // The server has not yet noticed: its pause must not stand for the request that is now in flight.
    expect([clock.now() - START, woken]).toEqual([10_000, []]);
    closed.abort();
    await settled();
    expect([clock.now() - START, woken]).toEqual([10_000, [['connection closed', 10_000]]]);
    next('answered');
    await settled();
    expect(woken.at(-1)).toEqual(['later', 11_000]);
  });

  test('if one of two hanging requests is abandoned, the other still does not hold time', async () => {
    const { clock, woken, sleeper, pausing } = started();
    const [one, two] = [clock.hold(), clock.hold()];
    const [first, second] = [new AbortController(), new AbortController()];
    pausing('first', Number.POSITIVE_INFINITY, first.signal);
    pausing('second', Number.POSITIVE_INFINITY, second.signal);
    await clock.sleep(10_000);
    one('abandoned');
    first.abort();
    sleeper('timeout of the second', 5_000);
    await settled();
    expect(woken).toEqual([
      ['first', 10_000],
      ['timeout of the second', 15_000],
    ]);
    two('abandoned');
    second.abort();
    const next = clock.hold();
    sleeper('not yet', 1_000);
    await settled();
    expect(woken.map(([name]) => name)).not.toContain('not yet');
    next('answered');
  });
});

test('real time: a signal ends a sleep at once, and a request in flight holds nothing', async () => {
  const ended: string[] = [];
  const end = new AbortController();
  realClock.hold();
  void realClock.sleep(Number.POSITIVE_INFINITY, end.signal).then(() => ended.push('endless sleep'));
  await settled();
  expect(ended).toEqual([]);
  void realClock.sleep(60_000, AbortSignal.abort()).then(() => ended.push('aborted sleep'));
  void realClock.pause(60_000, AbortSignal.abort()).then(() => ended.push('aborted pause'));
  end.abort();
  await settled();
  expect(ended.toSorted()).toEqual(['aborted pause', 'aborted sleep', 'endless sleep']);
});

test('real time: data that arrived while the thread was busy is read before an overdue wait ends', async () => {
  const order: string[] = [];
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sender = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
    const socket = require('node:net').connect(workerData.port, '127.0.0.1');
    parentPort.once('message', () => socket.write('x', () => {
      Atomics.store(workerData.flag, 0, 1);
      Atomics.notify(workerData.flag, 0);
    }));`,
    { eval: true, workerData: { port, flag } },
  );
  const [socket] = (await once(server, 'connection')) as [Socket];
  const received = once(socket, 'data').then(() => order.push('received'));
  const slept = realClock.sleep(1).then(() => order.push('slept'));
  const timed = new Promise<void>((resolve) => realClock.timer(1, resolve)).then(() => order.push('timed'));
  sender.postMessage('now');
  // Busy until it has been sent, and the wait is over.
  expect(Atomics.wait(flag, 0, 0, 10_000)).not.toBe('timed-out');
  Atomics.wait(flag, 0, 1, 20);
  await Promise.all([received, slept, timed]);
  expect(order[0]).toBe('received');
  socket.destroy();
  server.close();
  await sender.terminate();
});

test('real time: a timer that is cancelled calls nobody, also when its time is over already', () => {
  vi.useFakeTimers();
  try {
    const called: string[] = [];
    const cancelEarly = realClock.timer(1, () => called.push('early'));
    cancelEarly();
    const cancelLate = realClock.timer(1, () => called.push('late'));
    // Its time is over, and it waits for what has arrived to be read.
    vi.advanceTimersToNextTimer();
    cancelLate();
    realClock.timer(1, () => called.push('other'));
    vi.runAllTimers();
    expect(called).toEqual(['other']);
  } finally {
    vi.useRealTimers();
  }
});

test('real time: what would end after months does not end at once', () => {
  vi.useFakeTimers();
  try {
    const called: string[] = [];
    const cancel = realClock.timer(100 * 86_400_000, () => called.push('timer'));
    void realClock.sleep(100 * 86_400_000).then(() => called.push('sleep'));
    vi.advanceTimersByTime(24 * 86_400_000);
    expect(called).toEqual([]);
    expect(vi.getTimerCount()).toBe(2);
    cancel();
  } finally {
    vi.useRealTimers();
  }
});

test('virtual time: a timer calls when its time is over, and a cancelled one nobody, also at the same moment', async () => {
  const clock = new VirtualClock(START, TICK);
  const called: string[] = [];
  const cancelEarly = clock.timer(10, () => called.push('early'));
  cancelEarly();
  const slept = clock.sleep(20).then(() => cancelLate());
  const cancelLate = clock.timer(20, () => called.push('late'));
  clock.timer(30, () => called.push(`at ${clock.now() - START}`));
  await slept;
  await clock.sleep(15);
  expect(called).toEqual(['at 30']);
});

describe('a steady clock', () => {
  test('goes on by the time that passes, whatever the other one is set to', async () => {
    const virtual = new VirtualClock(START, TICK);
    let offset = 0;
    const clock = steady({
      now: () => virtual.now() + offset,
      elapsed: () => virtual.elapsed(),
      sleep: (...wait) => virtual.sleep(...wait),
      timer: (...timer) => virtual.timer(...timer),
      hold: () => virtual.hold(),
      pause: (...pause) => virtual.pause(...pause),
    });
    for (const set of [-3_600_000, 8_000, 3_600_000]) {
      offset = set;
      await clock.sleep(1_000);
    }
    expect(clock.now()).toBe(START + 3_000);
  });

  test('goes on from the same moment in each thread', async () => {
    const since = { now: START, elapsed: realClock.elapsed() };
    const elapsed = await inWorker('Math.floor(Number(process.hrtime.bigint()) / 1e6)');
    expect(elapsed).toBeGreaterThanOrEqual(since.elapsed);
    expect(elapsed).toBeLessThanOrEqual(realClock.elapsed());
    expect(steady(realClock, since).now()).toBeGreaterThanOrEqual(START + elapsed - since.elapsed);
  });
});

/** What an expression is in another thread. */
async function inWorker(expression: string): Promise<number> {
  const code = `require('node:worker_threads').parentPort.postMessage(${expression})`;
  const [value] = await once(new Worker(code, { eval: true }), 'message');
  return value;
}
