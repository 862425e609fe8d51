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
 * Every check of clients: those derived from the OpenAPI document, and those of the otherChecks of the interface, or of what holds
 * for clients of any document.
 */
export function clientChecks(contract: Contract): ClientCheck[] {
  const derived = derivedClientChecks(contract);
  const otherChecks = [...idChecks, ...keyChecks, ...rateLimitChecks, ...openChecks];
  if (contract.isComplete) return [...addressChecks, ...derived, ...otherChecks];
  return [...forDocuments(addressChecks), ...derived, ...documentChecks, ...forDocuments(otherChecks)];
}
