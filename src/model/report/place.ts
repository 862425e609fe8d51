/** Which request the limit refuses is chance, so all of them are one place. */
const REFUSAL = 'a refusal';

/** A seed draws which operation gets which wrong key, so all of them are one place. A missing key goes to every operation. */
const WRONG_KEY = 'a wrong key';

/** The place of a failure that strikes few requests of several operations, whichever they are. */
export const ANYWHERE = 'any operation';

/**
 * Where a violation occurs, as reports and baselines name it: an operation and its response, such as `listPets 200`. Nothing of
 * it depends on the seed of a run. Users have baselines with these texts, so the texts never change.
 * @param outcome a status, the kind of a failure, or `no answer`
 */
export function placeOf(operation: string, outcome: string, hasWrongKey: boolean): string {
  if (outcome === '429') return `${REFUSAL} ${outcome}`;
  if (!hasWrongKey) return `${operation} ${outcome}`;
  return `${WRONG_KEY} ${/^2\d\d$/.test(outcome) ? 'accepted' : outcome}`;
}

/**
 * The place in a baseline, which until 0.3.0 named a request of the run: `listPets:minimal 200` is `listPets 200`.
 * @param operations the ids of all operations
 */
export function placeWithoutRequest(text: string, operations: readonly string[]): string {
  const [, request = '', outcome] = /^(.*?) (no answer|[^ ]+)$/s.exec(text) ?? [];
  const [operation] = operations
    .filter((id) => request.startsWith(`${id}:`))
    .sort((one, other) => other.length - one.length);
  if (operation === undefined || outcome === undefined) return text;
  return placeOf(operation, outcome, /:key-(?!absent$)[a-z]+$/.test(request));
}
