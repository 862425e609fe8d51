import { type Json, parseJson } from '../../src/model/json.ts';

/** The value that a JSON text stands for: integers beyond 2^53 keep all their digits. */
export function json(text: string): Json {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}
