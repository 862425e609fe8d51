import { headerRequirement, valueRequirement } from '../contract/requirements.ts';
import type { Contract, DocumentedResponse, Header } from '../model/contract.ts';
import { addTo } from '../model/large/grouped.ts';
import type { Statuses } from './shown-elsewhere.ts';

/** A documented response with a header. */
export interface Carrier {
  operation: string;
  response: DocumentedResponse;
}

/** The documented responses with a header, by the requirements that are about the header. */
export function carriersByRequirement({ operations }: Contract): ReadonlyMap<string, readonly Carrier[]> {
  const carriers = new Map<string, Carrier[]>();
  for (const { id: operation, responses } of operations)
    for (const response of responses) {
      const ids = response.headers.flatMap((header) => [headerRequirement(header), valueRequirement(header)]);
      for (const id of new Set(ids)) addTo(carriers, id, { operation, response });
    }
  return carriers;
}

/** The headers of these responses that a requirement is about. */
export function headersOf(carriers: readonly Carrier[], id: string): Header[] {
  const isAbout = (header: Header) => headerRequirement(header) === id || valueRequirement(header) === id;
  return carriers.flatMap(({ response }) => response.headers.filter(isAbout));
}

/** The statuses of these responses, by operation. */
export function statusesOf(carriers: readonly Carrier[]): Statuses {
  const found = new Map<string, string[]>();
  for (const { operation, response } of carriers) addTo(found, operation, response.status);
  return found;
}
