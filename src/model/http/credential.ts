import { randomBytes } from 'node:crypto';
import type { Contract, Credential, Operation } from '../contract.ts';
import { type HeaderLine, headerValues } from '../exchange.ts';

/** The default place of a key. */
export const BEARER: Credential = { in: 'header', name: 'Authorization', scheme: 'Bearer' };

type Keyed = Pick<Operation, 'secured' | 'isKeyOptional' | 'credential' | 'furtherCredentials'>;

/** Where an operation takes the key; undefined if it takes none. */
export function credentialOf({ secured, isKeyOptional, credential = BEARER }: Keyed): Credential | undefined {
  return secured || isKeyOptional ? credential : undefined;
}

/** Where an operation takes all keys that it needs together. */
export function credentialsIn(operation: Keyed): Credential[] {
  const first = credentialOf(operation);
  return first ? [first, ...(operation.furtherCredentials ?? [])] : [];
}

/** Whether an operation needs the key of the run, which has no name. */
export function needsKeyOfRun({ secured, credential }: Keyed): boolean {
  return secured && credential?.key === undefined;
}

/** Where the operations of an interface take keys, without repetitions. */
export function credentialsOf({ operations }: { operations: readonly Keyed[] }): Credential[] {
  const credentials = operations.flatMap(credentialsIn);
  return [...new Map(credentials.map((credential) => [JSON.stringify(credential), credential])).values()];
}

/** The values in a request at the place of a key, including the scheme. @param target an address, or a path with its query */
export function valuesAt(
  { in: place, name }: Credential,
  target: string,
  headers: readonly HeaderLine[],
): string[] {
  if (place === 'header') return headerValues(headers, name);
  if (place === 'query') return new URLSearchParams(/\?([^#]*)/.exec(target)?.[1]).getAll(name);
  return headerValues(headers, 'Cookie')
    .flatMap((line) => line.split(/;\s*/))
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));
}

/** A new key for a server of an interface: Basic needs a user and a password. */
export function newKeyFor(contract: Pick<Contract, 'operations'>): string {
  const isBasic = credentialsOf(contract).some(({ scheme }) => scheme === 'Basic');
  return `petspec${isBasic ? ':' : '-'}${randomBytes(12).toString('hex')}`;
}
