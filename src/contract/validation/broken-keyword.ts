import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Schema } from '../../model/contract.ts';
import { clip } from '../../model/visible.ts';
import { describe } from '../describe.ts';
import { brokenRule, type NumberRule } from './number-rule.ts';

/** What is wrong with a value, in words that follow its name, and what the document expects. */
export interface BrokenKeyword {
  reason: string;
  expected: string;
  /** Set if the schema in words says as much. */
  isPlain?: true;
}

type Words = (error: ErrorObject) => BrokenKeyword;

/** Names and patterns may be as long as a target or a document wants. */
const MAX_QUOTE = 120;

function atMost(noun: string, plural: string): Words {
  return ({ params: { limit } }) => {
    const count = `${limit} ${limit === 1 ? noun : plural}`;
    return { reason: `has more than ${count}`, expected: `at most ${count}` };
  };
}

function atLeast(noun: string, plural: string): Words {
  return ({ params: { limit } }) => {
    const count = `${limit} ${limit === 1 ? noun : plural}`;
    return {
      reason: limit === 1 ? `has no ${plural}` : `has fewer than ${count}`,
      expected: `at least ${count}`,
    };
  };
}

/** The words for keywords that a value of the right type may violate. */
const WORDS: Readonly<Record<string, Words>> = {
  pattern: ({ params }) => {
    const pattern = clip(String(params.pattern), MAX_QUOTE);
    return { reason: `does not match ${pattern}`, expected: `a string that matches ${pattern}` };
  },
  additionalProperties: ({ params }) => {
    const name = clip(String(params.additionalProperty), MAX_QUOTE);
    return {
      reason: `has a property that the document does not allow: ${name}`,
      expected: `an object without ${name}`,
    };
  },
  required: ({ params }) => {
    const name = clip(String(params.missingProperty), MAX_QUOTE);
    return { reason: `lacks ${name}`, expected: `an object with ${name}` };
  },
  maxItems: atMost('entry', 'entries'),
  minItems: atLeast('entry', 'entries'),
  maxProperties: atMost('property', 'properties'),
  minProperties: atLeast('property', 'properties'),
  uniqueItems: () => ({ reason: 'has equal entries', expected: 'entries that all differ (uniqueItems)' }),
  dependentRequired: ({ params }) => {
    const [present, missing] = [params.property, params.missingProperty].map((name) =>
      clip(String(name), MAX_QUOTE),
    );
    return {
      reason: `has ${present} but not ${missing}`,
      expected: `an object with ${missing} if it has ${present}`,
    };
  },
  contains: ({ params: { minContains = 1, maxContains }, schema }) => {
    const fit = `that fit contains (${describe(asSchema(schema))})`;
    if (maxContains !== undefined) {
      const range = `from ${minContains} to ${maxContains} entries ${fit}`;
      return { reason: `does not have ${range}`, expected: range };
    }
    if (minContains === 1) return { reason: `has no entries ${fit}`, expected: `entries ${fit}` };
    const wanted = `${minContains} entries ${fit}`;
    return { reason: `has fewer than ${wanted}`, expected: `at least ${wanted}` };
  },
  propertyNames: ({ params }) => ({
    reason: `has a property with a name that the document does not allow: ${clip(String(params.propertyName), MAX_QUOTE)}`,
    expected: 'an object whose property names fit propertyNames',
  }),
  if: ({ params: { failingKeyword } }) => ({
    reason: `${failingKeyword === 'then' ? 'meets' : 'does not meet'} the condition of if, but does not fit ${failingKeyword}`,
    expected: `a value that fits ${failingKeyword}`,
  }),
  // A schema `false` is read as a `not` that excludes everything.
  not: ({ schema }) =>
    Object.keys(schema ?? {}).length === 0
      ? { reason: 'is not allowed by the document', expected: 'no value here' }
      : {
          reason: 'fits the schema that not excludes',
          expected: 'a value that does not fit the schema in not',
        },
};

/**
 * The words for an error.
 * @param inner one of its parts, such as an error of the branch of an `if`
 */
export function brokenKeyword(error: ErrorObject, inner?: ErrorObject): BrokenKeyword {
  const { propertyName, keyword, instancePath } = error;
  if (inner) return withDetail(error, brokenKeyword(inner), inner.instancePath.slice(instancePath.length));
  if (propertyName === undefined || keyword === 'propertyNames') return ownWords(error);
  const { reason, expected } = ownWords(error);
  return {
    reason: `has a property whose name ${reason}: ${clip(propertyName, MAX_QUOTE)}`,
    expected: `${expected} as the name of each property`,
  };
}

/** The words for an error together with those for one of its parts, at a place inside the value. */
function withDetail(error: ErrorObject, detail: BrokenKeyword, place: string): BrokenKeyword {
  const outer = ownWords(error);
  const reason = `${outer.reason}: ${place === '' ? 'it' : clip(place, MAX_QUOTE)} ${detail.reason}`;
  if (error.keyword !== 'if') return { ...outer, reason };
  const expected = place === '' ? detail.expected : `${clip(place, MAX_QUOTE)}: ${detail.expected}`;
  const isMet = error.params.failingKeyword === 'then';
  return { reason, expected: `${expected}, where the condition of if is ${isMet ? 'met' : 'not met'}` };
}

function ownWords(error: ErrorObject): BrokenKeyword {
  const { keyword, params, parentSchema, schemaPath, schema, data } = error;
  const named = WORDS[keyword]?.(error);
  if (named) return named;
  if (keyword === 'oneOf' && Array.isArray(params.passingSchemas))
    return {
      reason: 'fits more than one member of oneOf',
      expected: 'a value that fits exactly one member of oneOf',
    };
  if (keyword === 'anyOf' || keyword === 'oneOf')
    return {
      reason: 'fits none of the alternatives',
      expected: 'a value that fits one of the alternatives',
      isPlain: true,
    };
  const wanted = describe(asSchema(parentSchema));
  // The schema in words does not contain what stays in an allOf.
  const isPlain = !schemaPath.includes('/allOf/');
  const isBeyond = keyword === 'x-number' && brokenRule(schema as NumberRule, data) === 'format';
  const reason = isBeyond ? `is beyond ${(schema as NumberRule).format}` : `is not ${wanted}`;
  return { reason, expected: wanted, ...(isPlain ? { isPlain } : {}) };
}

/** The schema from which a node for ajv was made, as far as words need it. */
function asSchema(node: unknown): Schema {
  const { type, 'x-number': rule, 'x-members': members, ...rest } = (node ?? {}) as Schema;
  const { types: numberTypes, ...bounds } = (rule ?? {}) as NumberRule;
  const types = numberTypes ?? (Array.isArray(type) ? (type as string[]) : type === undefined ? [] : [type]);
  return {
    ...rest,
    ...bounds,
    ...(types.length > 0 ? { 'x-types': types } : {}),
    ...(Array.isArray(members) ? { enum: members as unknown[] } : {}),
  };
}
