import { headerRequirement, valueRequirement } from '../contract/requirements.ts';
import type { Contract, DocumentedResponse, Header } from '../model/contract.ts';
import type { Statuses } from './shown-elsewhere.ts';

/** The documented responses with a header, by the requirements that are about the header. */
export function carriersByRequirement({ operations }: Contract): ReadonlyMap<string, DocumentedResponse[]> {
  const carriers = new Map<string, DocumentedResponse[]>();
  for (const response of operations.flatMap(({ responses }) => responses)) {
    const ids = response.headers.flatMap((header) => [headerRequirement(header), valueRequirement(header)]);
    for (const id of new Set(ids)) carriers.set(id, [...(carriers.get(id) ?? []), response]);
  }
  return carriers;
}

/** The headers of these responses that a requirement is about. */
export function headersOf(responses: readonly DocumentedResponse[], id: string): Header[] {
  const isAbout = (header: Header) => headerRequirement(header) === id || valueRequirement(header) === id;
  return responses.flatMap(({ headers }) => headers.filter(isAbout));
}

/** The statuses of these responses, by operation. */
export function statusesOf({ operations }: Contract, carriers: readonly DocumentedResponse[]): Statuses {
  const own = operations.map(
    ({ id, responses }) =>
      [id, responses.filter((each) => carriers.includes(each)).map(({ status }) => status)] as const,
  );
  return new Map(own.filter(([, all]) => all.length > 0));
}
