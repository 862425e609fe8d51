import type { Credential, Operation } from '../model/contract.ts';
import type { HeaderLine } from '../model/exchange.ts';
import { credentialsIn, valuesAt } from '../model/http/credential.ts';
import type { KeyVerdict } from '../reference/http/call.ts';
import type { RequestHead } from '../reference/index.ts';

/** Judges the key of a request by where the document says that it is. Without an operation there is none to judge. */
export function keyVerdict(operation: Operation | undefined, asked: RequestHead, apiKey: string): KeyVerdict {
  if (!operation) return 'missing';
  const values = credentialsIn(operation).map((each) => sentKey(each, asked));
  if (values.some((each) => each === undefined || each === ''))
    return operation.isKeyOptional ? 'valid' : 'missing';
  return values.every((each) => each === apiKey) ? 'valid' : 'invalid';
}

/** The key that a request has in its place, or what is there instead of one; undefined if nothing is. */
function sentKey(credential: Credential, { target, headers }: RequestHead): string | undefined {
  const lines = Object.entries(headers).flatMap(([name, values = []]) =>
    values.map((value): HeaderLine => [name, value]),
  );
  const [value, second] = valuesAt(credential, target, lines);
  const { scheme } = credential;
  if (value === undefined || second !== undefined || scheme === undefined) return value;
  const [, credentials] = new RegExp(`^${scheme} +(.+)$`, 'i').exec(value) ?? [];
  if (credentials === undefined) return `not ${scheme}`;
  return scheme === 'Basic' ? Buffer.from(credentials, 'base64').toString() : credentials;
}

/** The challenge that a 401 carries (RFC 9110 section 11.6.1). */
export function challengeOf({ credential }: Pick<Operation, 'credential'>, title: string): string {
  const { scheme = credential === undefined ? 'Bearer' : 'ApiKey' } = credential ?? {};
  return `${scheme} realm="${title.replaceAll(/[^\w .-]/g, '')}"`;
}
