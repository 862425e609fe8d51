/** All refusals are one place, as it is chance which requests the limit refuses. */
const REFUSAL = 'a refusal';

/** All wrong keys are one place, as the seed draws which operation gets which. A missing key is sent to every operation. */
const WRONG_KEY = 'a wrong key';

/** The place of a failure of a few requests of several operations. */
export const ANYWHERE = 'any operation';

/**
 * Where a violation occurs, as reports and baselines name it: an operation and its response, such as `listPets 200`. It does not depend
 * on the seed of a run. Users have baselines with these texts, so the texts never change.
 * @param outcome a status, the kind of a failure, or `no answer`
 */
export function placeOf(operation: string, outcome: string, hasWrongKey: boolean): string {
  if (outcome === '429') return `${REFUSAL} ${outcome}`;
  if (!hasWrongKey) return `${operation} ${outcome}`;
  return `${WRONG_KEY} ${/^2\d\d$/.test(outcome) ? 'accepted' : outcome}`;
}

/**
 * The place for a text of a baseline, which until 0.3.0 named a request: `listPets:minimal 200` becomes `listPets 200`.
 * @param operations the ids of all operations
 */
export function placeWithoutRequest(text: string, operations: readonly string[]): string {
  const [, request = '', outcome] = /^(.*?) (no answer|[^ ]+)$/s.exec(text) ?? [];
  const [operation] = operations
    .filter((id) => request.startsWith(`${id}:`))
    .sort((a, b) => b.length - a.length);
  if (operation === undefined || outcome === undefined) return text;
  return placeOf(operation, outcome, /:key-(?!absent$)[a-z]+$/.test(request));
}
