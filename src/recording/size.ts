import { valuesIn } from '../session/memory-limit.ts';
import type { Recorded } from './recorded.ts';

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
