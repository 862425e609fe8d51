import { createRequire } from 'node:module';
import { regularExpression } from '../../contract/document/patterns.ts';
import { isFitting } from '../../contract/validation/parameter-bounds.ts';
import type { Schema } from '../../model/contract.ts';

export type FastCheck = typeof import('fast-check');

/** Loaded only by a document or a run that needs it. */
export const fastCheck = (): FastCheck => createRequire(import.meta.url)('fast-check') as FastCheck;

/** Texts that are drawn for a pattern, and those of them that are kept. */
const DRAWN = 200;
const MAX_TEXTS = 50;

const known = new Map<string, readonly string[]>();

/**
 * Texts that match the pattern of a schema and have its length, the same ones each time; none if petspec finds none. Digits alone
 * are left out: they could be the id of something, or the telephone number of somebody.
 */
export function patternTexts({
  pattern,
  minLength,
  maxLength,
}: Schema & { pattern?: unknown }): readonly string[] {
  if (typeof pattern !== 'string') return [];
  const key = JSON.stringify([pattern, minLength, maxLength]);
  const found = known.get(key) ?? drawn(pattern, minLength, maxLength);
  known.set(key, found);
  return found;
}

function drawn(pattern: string, minLength?: number, maxLength?: number): string[] {
  const schema: Schema = {
    pattern,
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
  // Without anchors, anything may be around what matches.
  const anchored = `^(?:${pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')})$`;
  for (const each of new Set([anchored, pattern])) {
    const texts = textsOf(each).filter((text) => /^[ -~]+$/.test(text) && !/^\d+$/.test(text));
    const fitting = [...new Set(texts)].filter((text) => text.trim() === text && isFitting(schema, text));
    if (fitting.length > 0) return fitting.slice(0, MAX_TEXTS);
  }
  return [];
}

function textsOf(pattern: string): string[] {
  const expression = regularExpression(pattern);
  if (!expression) return [];
  const { sample, stringMatching } = fastCheck();
  try {
    return sample(stringMatching(expression), { numRuns: DRAWN, seed: 1 });
  } catch {
    // It knows no lookarounds and no references to groups.
    return [];
  }
}
