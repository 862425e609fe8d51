import { createRequire } from 'node:module';
import { regularExpression } from '../../contract/document/patterns.ts';
import { isFitting } from '../../contract/validation/parameter-bounds.ts';
import type { Schema } from '../../model/contract.ts';

export type FastCheck = typeof import('fast-check');

/** Loads fast-check when a document or a run first needs it. */
export const fastCheck = (): FastCheck => createRequire(import.meta.url)('fast-check') as FastCheck;

/** How many texts are drawn for a pattern, and how many of them are kept. */
const DRAWN = 200;
const MAX_TEXTS = 50;

const textsByPattern = new Map<string, readonly string[]>();

/**
 * Texts that match the pattern and the length of a schema, the same ones each time; empty if petspec finds none. Texts of digits
 * alone are left out: they could be an existing id or somebody's telephone number.
 */
export function patternTexts({
  pattern,
  minLength,
  maxLength,
}: Schema & { pattern?: unknown }): readonly string[] {
  if (typeof pattern !== 'string') return [];
  const key = JSON.stringify([pattern, minLength, maxLength]);
  const texts = textsByPattern.get(key) ?? drawn(pattern, minLength, maxLength);
  textsByPattern.set(key, texts);
  return texts;
}

function drawn(pattern: string, minLength?: number, maxLength?: number): string[] {
  const schema: Schema = {
    pattern,
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
  // Without anchors, the texts would have random characters around the match.
  const anchored = `^(?:${pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')})$`;
  for (const expression of new Set([anchored, pattern])) {
    const texts = textsOf(expression).filter((text) => /^[ -~]+$/.test(text) && !/^\d+$/.test(text));
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
    // fast-check supports neither lookarounds nor references to groups.
    return [];
  }
}
