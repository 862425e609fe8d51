import type { Contract } from '../../src/model/contract.ts';
import type { ClientCheck } from '../../src/traffic/client-check.ts';
import { derivedClientChecks } from '../../src/traffic/derived-client-checks.ts';
import { addressChecks } from './addresses.ts';
import { documentChecks, forDocuments } from './documents.ts';
import { idChecks } from './ids.ts';
import { keyChecks } from './keys.ts';
import { openChecks } from './left-open.ts';
import { rateLimitChecks } from './rate-limits.ts';

/**
 * Every check of clients: those that the OpenAPI document implies, and those of the interface document's sentences, or what holds for
 * clients of any document.
 */
export function clientChecks(contract: Contract): ClientCheck[] {
  const derived = derivedClientChecks(contract);
  const others = [...idChecks, ...keyChecks, ...rateLimitChecks, ...openChecks];
  if (contract.isComplete) return [...addressChecks, ...derived, ...others];
  return [...forDocuments(addressChecks), ...derived, ...documentChecks, ...forDocuments(others)];
}
