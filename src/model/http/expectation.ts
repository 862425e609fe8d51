/** What the response to a request should be. Statuses are named as the document names them: `200`, `4XX`, `DEFAULT`. */
export type Expectation =
  /** The interface leaves it open: any status below 500 conforms. */
  | { kind: 'open' }
  /** The only status that conforms. */
  | { kind: 'due'; status: string }
  /** Each of these conforms. If none of them comes, `due` is the one that is missing: a success, if there is one. */
  | { kind: 'either'; statuses: readonly string[]; due: string }
  /** A wrong key is refused, and nothing says with which status: a redirect may lead to a login. */
  | { kind: 'some-refusal' };

export const OPEN: Expectation = { kind: 'open' };
export const SOME_REFUSAL: Expectation = { kind: 'some-refusal' };

/** Expects one of these statuses. Where there are none, any response conforms that is no 5xx. */
export function expecting(successes: readonly string[], refusals: readonly string[] = []): Expectation {
  const statuses = [...successes, ...refusals];
  const due = successes.at(-1) ?? refusals.at(-1);
  if (due === undefined) return OPEN;
  return statuses.length === 1 ? { kind: 'due', status: due } : { kind: 'either', statuses, due };
}

/** The statuses that conform; none if the interface leaves them open. */
export function statusesOf(expectation: Expectation): readonly string[] {
  switch (expectation.kind) {
    case 'open':
      return [];
    case 'due':
      return [expectation.status];
    case 'either':
      return expectation.statuses;
    case 'some-refusal':
      return ['3XX', '4XX'];
  }
}

/** The status that is missing if none comes that conforms. */
export function dueStatus(expectation: Expectation): string | undefined {
  if (expectation.kind === 'either') return expectation.due;
  return statusesOf(expectation).at(-1);
}

/** Whether a documented status is among those that conform. */
export function isExpected(expectation: Expectation, status: string | undefined): boolean {
  return status !== undefined && statusesOf(expectation).includes(status);
}

/** The statuses that conform, in words. */
export function expectedStatuses(expectation: Expectation): string {
  const statuses = statusesOf(expectation);
  const listed = statuses.filter((each) => each !== 'DEFAULT');
  const others = listed.length < statuses.length ? ['any other below 400'] : [];
  return [...listed, ...others].join(' or ');
}
