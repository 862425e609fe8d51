/** The expected response to a request. Statuses have the names of the document: `200`, `4XX`, `DEFAULT`. */
export type Expectation =
  /** The interface leaves it open: any status below 500 conforms. */
  | { kind: 'open' }
  /** The only status that conforms. */
  | { kind: 'due'; status: string }
  /** Any of these conforms. If none of them comes, `due` is reported as missing: a success, if there is one. */
  | { kind: 'either'; statuses: readonly string[]; due: string }
  /** A wrong key is refused, with any status: a redirect may lead to a login. */
  | { kind: 'some-refusal' };

export const OPEN: Expectation = { kind: 'open' };
export const SOME_REFUSAL: Expectation = { kind: 'some-refusal' };

/** Expects one of these statuses; without any, every response below 500 conforms. */
export function expecting(successes: readonly string[], refusals: readonly string[] = []): Expectation {
  const statuses = [...successes, ...refusals];
  const due = successes.at(-1) ?? refusals.at(-1);
  if (due === undefined) return OPEN;
  return statuses.length === 1 ? { kind: 'due', status: due } : { kind: 'either', statuses, due };
}

/** The statuses that conform; empty if the interface leaves them open. */
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

/** The status that is reported as missing if the response does not conform. */
export function dueStatus(expectation: Expectation): string | undefined {
  if (expectation.kind === 'either') return expectation.due;
  return statusesOf(expectation).at(-1);
}

/** Whether a documented status conforms. */
export function isExpected(expectation: Expectation, status: string | undefined): boolean {
  return status !== undefined && statusesOf(expectation).includes(status);
}

/** The statuses that conform, in words. */
export function expectedStatuses(expectation: Expectation): string {
  const statuses = statusesOf(expectation);
  const listed = statuses.filter((status) => status !== 'DEFAULT');
  const others = listed.length < statuses.length ? ['any other below 400'] : [];
  return [...listed, ...others].join(' or ');
}
