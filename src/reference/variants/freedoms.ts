import type { LimiterSettings } from '../settings.ts';
import type { Variant } from './variant.ts';

export const COUNTING = 'Rate limits by plan: how requests per minute and per day are counted is not said';
export const COVERAGE = 'Rate limits by plan: "Which endpoints the plan limits cover: not shown."';
export const HEADERS =
  'Rate limit headers: "the current window" does not say which of the two, or when a sliding one resets';
export const WAITING =
  'Rate limit headers: "a `Retry-After` header" does not say in which format, or how it is rounded';
export const REMAINING =
  'Rate limit headers: "Requests remaining" does not say how exact the number is, or how old it may be';
export const PLAN =
  'Rate limit headers: "Higher limits come from a plan upgrade"; when one takes effect is not said';
export const START = 'Rate limits by plan: how much of the limit was used before the run is not said';
export const CLOCK = 'Rate limit headers: "Unix timestamp" does not say by whose clock';

export const MAXIMUM =
  'GET /pets (listPets): limit is the "Maximum number of animals to return", not the exact one';
export const LIST_ORDER = 'GET /pets (listPets): "the ordering of results ... not shown"';
export const LAG = 'GET /pets (listPets): how soon an added animal is listed is not said';
export const ADDED = 'POST /pets (createPet): 201 with a Pet; no response header is stated';
export const NAME_LENGTH =
  'NewPet (request body for adding an animal): name is a string, without a stated length';
export const CATEGORY =
  'Unspecified resources: "Category record and its fields: not shown beyond the `categoryId` reference."';
export const EXTRA_FIELDS =
  'Pet (animal record, returned by the service): additional fields are not mentioned';

export const FIELD_ORDER = 'RFC 8259 section 1: "An object is an unordered collection"';
export const ANY_HEADERS = 'RFC 9110 section 5.1: a response may have any field names';
export const MEDIA_TYPE =
  'RFC 9110 section 8.3.1: type, subtype and parameter names are case-insensitive, parameters may follow';
export const MAY_REFUSE =
  'RFC 9110 section 15.5.4: a service may refuse to fulfill a request that it understands';

/** What only requests beyond the limit show. */
export const BEYOND_THE_LIMIT = [
  'TooManyRequests',
  'Retry-After',
  'Retry-After.schema',
  'rate-limit.early',
  'rate-limit.recovery',
];

/** A variant that only sets the limiter. */
export function variant(
  id: string,
  summary: string,
  freedom: string,
  limiter: Partial<LimiterSettings>,
): Variant {
  return { id, summary, freedom, settings: { limiter } };
}

/** Variants that set the limiter, and have the same freedom, by id; `more` is another change, a start, or what stays untested. */
export function limitersAllowedBy(
  freedom: string,
  rows: Readonly<
    Record<
      string,
      readonly [
        summary: string,
        limiter: Partial<LimiterSettings>,
        more?: Omit<Variant, 'id' | 'summary' | 'freedom' | 'settings'>,
      ]
    >
  >,
): Variant[] {
  return Object.entries(rows).map(([id, [summary, limiter, more]]) => ({
    ...variant(id, summary, freedom, limiter),
    ...more,
  }));
}
