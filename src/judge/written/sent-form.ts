import { type Exchange, headerValue } from '../../model/exchange.ts';
import type { Json } from '../../model/json.ts';

/** Texts, or lists of texts, by their names. */
type Form = { [name: string]: Json };

/** The fields of a form, as texts or lists of texts; undefined if a request sends none. Files are left out. */
export function formFields({
  requestHeaders,
  requestBody = '',
}: Pick<Exchange, 'requestHeaders' | 'requestBody'>): Form | undefined {
  const type = headerValue(requestHeaders, 'Content-Type') ?? '';
  if (/^application\/x-www-form-urlencoded\b/i.test(type))
    return collected([...new URLSearchParams(requestBody)]);
  return /^multipart\/form-data\b/i.test(type) ? collected(partsOf(requestBody)) : undefined;
}

/** The parts of a form that are plain texts (RFC 7578). The first line is the boundary. */
function partsOf(text: string): [name: string, value: string][] {
  const [boundary = ''] = text.split('\r\n', 1);
  return text.split(`${boundary}\r\n`).flatMap((part): [string, string][] => {
    const [, head = '', value = ''] = /^(.*?)\r\n\r\n(.*?)\r\n(?:--|$)/s.exec(part) ?? [];
    const [, name] = /^Content-Disposition: form-data; name="([^"]*)"$/i.exec(head) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
}

/** A name that comes several times has a list. How nested values are written differs by service, so they are left out. */
function collected(pairs: readonly (readonly [name: string, value: string])[]): Form {
  const plain = pairs.filter(([name]) => !/[[\].]/.test(name));
  const fields = new Map<string, Json>();
  for (const [name, value] of plain) {
    const known = fields.get(name);
    const before = known === undefined ? [] : Array.isArray(known) ? known : [known];
    fields.set(name, known === undefined ? value : [...before, value]);
  }
  return Object.fromEntries(fields);
}
