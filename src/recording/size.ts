import type { Recorded } from './recorded.ts';

/** What an exchange takes up, in characters. */
export function sizeOf({
  url,
  requestHeaders,
  requestBody = '',
  response,
}: Pick<Recorded, 'url' | 'requestHeaders' | 'requestBody' | 'response'>): number {
  const lines = [...requestHeaders, ...(response?.headers ?? [])];
  const heads = lines.reduce((sum, [name, value]) => sum + name.length + value.length, url.length);
  return heads + requestBody.length + (response?.body.length ?? 0);
}
