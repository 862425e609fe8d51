/** Where a violation occurs: a request, and what it got. */
export interface Place {
  /** The id of a planned request; of a recorded one its operation; or `REFUSAL`. */
  request: string;
  /** A status, the kind of a failure, or `no answer`. Only a text that petspec did not write has none. */
  outcome?: string;
}

/** Which request the limit refuses is chance, so all of them are one place. */
export const REFUSAL = 'a refusal';

/** The place as reports and baselines have it. Users have baselines with these texts, so the texts never change. */
export function placeText({ request, outcome }: Place): string {
  return outcome === undefined ? request : `${request} ${outcome}`;
}

/** The place that a text in a report or a baseline names. */
export function placeIn(text: string): Place {
  const [, request, outcome] = /^(.*?) (no answer|[^ ]+)$/s.exec(text) ?? [];
  return request === undefined || outcome === undefined ? { request: text } : { request, outcome };
}

/**
 * The same place for every seed: a seed draws which wrong key an operation gets, and if the key is refused, what is wrong
 * with the response does not depend on that.
 */
export function anySeed({ request, outcome }: Place): Place {
  const isRefused = outcome !== undefined && /^4\d\d$/.test(outcome);
  return {
    request: isRefused ? anyWrongKey(request) : request,
    ...(outcome === undefined ? {} : { outcome }),
  };
}

/** The id of a planned request, whichever wrong key it has. */
export function anyWrongKey(request: string): string {
  return request.replace(/:key-(?!absent$)\w+$/, ':key-wrong');
}
