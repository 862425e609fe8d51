import type { Contract, Operation } from '../model/contract.ts';
import { type Probe, SPELLINGS, type Spelling } from '../model/probe.ts';
import { spelled } from '../requests/request.ts';
import { guessedPath } from './parameters.ts';
import { byOperation, documented, probe } from './probe.ts';

const TITLES: Readonly<Record<Spelling, string>> = {
  slash: 'no key, and a slash at the end of the path',
  doubled: 'no key, and a doubled slash in the path',
  encoded: 'no key, and a percent-encoded letter in the path',
};

/**
 * Reads without a key at other spellings of their addresses: a gateway may protect only the usual one. Each spelling goes
 * to one operation, which the seed rotates.
 */
export function spelledProbes(contract: Contract, all: readonly Probe[], seed: number): Probe[] {
  const probesOf = byOperation(all);
  const reads = contract.operations.filter(isProtectedRead);
  return SPELLINGS.flatMap((spelling, index) => {
    const operation = reads[(seed + index) % reads.length];
    if (!operation || spelled(operation.path, spelling) === operation.path) return [];
    const refused = operation.responses.find(({ status }) => status === '401');
    return [
      probe(operation, `spelled-${spelling}`, 'keys', {
        title: TITLES[spelling],
        validity: 'open',
        key: 'absent',
        ...(refused ? { rule: refused.requirement } : {}),
        spelling,
        path: guessedPath(probesOf(operation.id), operation.id),
      }),
    ];
  });
}

/** Whether a read asks for a key and has a documented body, by which it is known. */
function isProtectedRead(operation: Operation): boolean {
  const { method, address, secured, responses } = operation;
  const isKnown = responses.some(({ status, schema }) => status.startsWith('2') && schema);
  return (
    secured && method === 'GET' && address === 'baseUrl' && isKnown && documented(operation, '401').length > 0
  );
}
