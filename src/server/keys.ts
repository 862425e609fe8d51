import type { Operation } from '../model/contract.ts';
import type { KeyVerdict } from '../reference/http/call.ts';
import type { Asked } from '../reference/index.ts';

/** Judges the key of a request by where the document says that it is. Without an operation there is none to judge. */
export function keyVerdict(operation: Operation | undefined, asked: Asked, apiKey: string): KeyVerdict {
  if (!operation) return 'missing';
  if (!operation.secured && !operation.isKeyOptional) return 'valid';
  const value = sentKey(operation, asked);
  if (value === undefined || value === '') return operation.isKeyOptional ? 'valid' : 'missing';
  return value === apiKey ? 'valid' : 'invalid';
}

/** The key that a request has at the place of its operation; undefined without any, and an empty text with another scheme. */
function sentKey({ credential }: Operation, { target, headers }: Asked): string | undefined {
  const { in: place, name, scheme } = credential ?? { in: 'header', name: 'authorization', scheme: 'Bearer' };
  if (place === 'query') return new URLSearchParams(target.split('?')[1] ?? '').get(name) ?? undefined;
  if (place === 'cookie') return cookieIn(headers.cookie?.join('; ') ?? '', name);
  const [value, second] = headers[name.toLowerCase()] ?? [];
  if (value === undefined || second !== undefined || scheme === undefined) return value;
  const [, credentials] = new RegExp(`^${scheme} +(.+)$`, 'i').exec(value) ?? [];
  if (credentials === undefined) return `not ${scheme}`;
  return scheme === 'Basic' ? Buffer.from(credentials, 'base64').toString() : credentials;
}

function cookieIn(line: string, name: string): string | undefined {
  const pair = line.split(/; */).find((each) => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** The challenge that a 401 carries (RFC 9110 section 11.6.1). */
export function challengeOf({ credential }: Pick<Operation, 'credential'>, title: string): string {
  const { scheme = credential === undefined ? 'Bearer' : 'ApiKey' } = credential ?? {};
  return `${scheme} realm="${title.replaceAll(/[^\w .-]/g, '')}"`;
}
