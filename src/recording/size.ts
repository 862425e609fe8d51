import { valuesIn } from '../session/memory-limit.ts';
import type { Recorded } from './recorded.ts';

/** Exchanges of a part. Sequences are judged within it, so memory is bounded however long the recording is. */
export const MAX_PART = 2_000;
/** What the exchanges of a part take up while they are judged, in characters. */
export const MAX_PART_SIZE = 32 * 1024 * 1024;

type Content = Pick<Recorded, 'url' | 'requestHeaders' | 'requestBody' | 'response'>;

/** So many characters a value of JSON counts for besides its own, once it is parsed. */
export const VALUE_SIZE = 16;

/** What an exchange takes up, in characters. */
export function sizeOf({ url, requestHeaders, requestBody = '', response }: Content): number {
  const lines = [...requestHeaders, ...(response?.headers ?? [])];
  const heads = lines.reduce((sum, [name, value]) => sum + name.length + value.length, url.length);
  return heads + requestBody.length + (response?.body.length ?? 0);
}

/** What an exchange takes up while it is judged, with the values of its bodies, in characters. */
export function parsedSizeOf(content: Content): number {
  const values = valuesIn(content.requestBody ?? '') + valuesIn(content.response?.body ?? '');
  return sizeOf(content) + values * VALUE_SIZE;
}
