import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withLock } from './file-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-history-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a lock', () => {
  const lock = () => join(folder, 'a.lock');

  test('lets one at a time act, and is gone afterwards', async () => {
    let inside = 0;
    const acts = Array.from({ length: 20 }, () =>
      withLock(lock(), () => {
        inside += 1;
        expect(readdirSync(folder)).toEqual(['a.lock']);
        inside -= 1;
        return inside;
      }),
    );
    expect(await Promise.all(acts)).toEqual(Array(20).fill(0));
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is released when the act fails', async () => {
    await expect(withLock(lock(), () => JSON.parse(''))).rejects.toThrow(SyntaxError);
    expect(await withLock(lock(), () => 1)).toBe(1);
  });

  test('that is no lock of ours is left alone', async () => {
    symlinkSync('somewhere', lock());
    await expect(withLock(lock(), () => 1)).rejects.toThrow('not a lock of petspec');
  });
});
