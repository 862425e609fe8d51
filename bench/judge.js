// Exchanges of a HAR that `petspec judge` judges in a second, and its peak memory, which more exchanges may not increase. The HAR
// is that of a browser session that never ends: lists, additions, fetches and wrong requests of two keys, with honest limits.
// Usage: node bench/judge.js [exchanges...]
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from './figures.js';

const PETSPEC = join(import.meta.dirname, '..', 'bin', 'petspec.js');
const START = Date.UTC(2026, 0, 1);
const LIMIT = 1_000;
/** Between two requests: a minute has fewer than the limit. */
const PAUSE_MS = 200;
const PAGE = 20;

const lines = (headers) => Object.entries(headers).map(([name, value]) => ({ name, value }));

/** A store that adds animals, and the exchanges with it, one after the other. */
function session() {
  const animals = [];
  const windows = new Map();
  const added = (id) => {
    const fields = { name: `Rex ${id}`, categoryId: (id % 7) + 1, status: 'available' };
    animals.push({ id, ...fields });
    if (animals.length > 10 * PAGE) animals.shift();
    return fields;
  };
  added(1);

  const asked = (index) => {
    const last = animals.at(-1);
    if (index % 10 === 0) {
      const fields = added(index + 2);
      return { method: 'POST', path: '/pets', sent: fields, status: 201, value: animals.at(-1) };
    }
    if (index % 10 === 5) {
      const value = { code: 'invalid', message: 'name is missing', status: 400 };
      return { method: 'POST', path: '/pets', sent: { categoryId: 1 }, status: 400, value };
    }
    if (index % 3 === 0) return { method: 'GET', path: `/pets/${last.id}`, status: 200, value: last };
    return { method: 'GET', path: `/pets?limit=${PAGE}`, status: 200, value: animals.slice(-PAGE) };
  };

  return (index) => {
    const at = START + index * PAUSE_MS;
    const key = `key-of-a-user-${index % 2}`;
    const minute = Math.floor(at / 60_000);
    const name = `${key} ${minute}`;
    windows.set(name, (windows.get(name) ?? 0) + 1);
    for (const each of windows.keys()) if (!each.endsWith(` ${minute}`)) windows.delete(each);
    const { method, path, sent, status, value } = asked(index);
    const text = JSON.stringify(value);
    const body = sent === undefined ? undefined : JSON.stringify(sent);
    return {
      startedDateTime: new Date(at).toISOString(),
      time: 12,
      request: {
        method,
        url: `https://api.example.com/v1${path}`,
        headers: lines({
          Accept: 'application/json',
          Authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        }),
        bodySize: body?.length ?? 0,
        ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: body } }),
      },
      response: {
        status,
        headers: lines({
          Date: new Date(at).toUTCString(),
          'Content-Type': 'application/json',
          'X-RateLimit-Limit': String(LIMIT),
          'X-RateLimit-Remaining': String(LIMIT - windows.get(name)),
          'X-RateLimit-Reset': String((minute + 1) * 60),
        }),
        content: { size: text.length, mimeType: 'application/json', text },
      },
    };
  };
}

/** Writes a HAR piece by piece. */
export function writeHar(path, exchanges) {
  const file = openSync(path, 'w');
  const next = session();
  writeSync(file, '{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[\n');
  for (let index = 0; index < exchanges; index++)
    writeSync(file, `${index === 0 ? '' : ',\n'}${JSON.stringify(next(index))}`);
  writeSync(file, ']}}\n');
  closeSync(file);
}

/** Seconds of wall and CPU, and the peak memory in MB. */
export function judged(exchanges) {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-bench-'));
  try {
    const har = join(folder, 'session.har');
    writeHar(har, exchanges);
    return once([PETSPEC, 'judge', har, '--out', join(folder, 'reports'), '--quiet']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const counts = process.argv.slice(2).map(Number);
  for (const exchanges of counts.length > 0 ? counts : [10_000, 100_000]) {
    const { wall, cpu, megabytes } = judged(exchanges);
    const rate = Math.round(exchanges / wall);
    process.stdout.write(
      `judging a HAR of ${exchanges} exchanges: ${rate} a second, ${wall.toFixed(1)} s, ${cpu.toFixed(1)} s CPU, peak ${megabytes.toFixed(0)} MB\n`,
    );
  }
}
