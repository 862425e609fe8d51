import { isFitting } from '../../contract/validation/parameter-bounds.ts';
import type { Parameter } from '../../model/contract.ts';
import { isPrecondition } from '../../model/http/preconditions.ts';
import type { Late } from '../../model/probe.ts';
import { exampleValue } from './example-value.ts';

/** The header of an earlier response whose value a precondition repeats; undefined if another value does as well. */
function validatorFor(precondition: string): Extract<Late, { late: 'validator' }>['header'] | undefined {
  const name = precondition.toLowerCase();
  if (name === 'if-match') return 'ETag';
  return name === 'if-unmodified-since' ? 'Last-Modified' : undefined;
}

/** No service has this version, and whatever exists was changed later than this date. */
const MATCHING_NOTHING = ['"petspec-none-such"'];
const LONG_AGO = ['Thu, 01 Jan 1970 00:00:00 GMT', '1970-01-01T00:00:00Z'];

/** Whether a parameter is sent only if it has to be: an invented precondition would change what is due. */
export function isConditional({ in: place, name, required, isStated }: Parameter): boolean {
  return place === 'header' && isPrecondition(name) && !required && !isStated;
}

/**
 * The value of a parameter that is a precondition: one with which a request gets what it gets without, or the version that
 * an earlier response to the same address told. Undefined if petspec knows none, or if the parameter is none.
 */
export function preconditionValue(parameter: Parameter, method: string): string | Late | undefined {
  const { in: place, name, schema, isStated } = parameter;
  if (place !== 'header' || !isPrecondition(name) || isStated) return undefined;
  const example = exampleOf(parameter);
  const validator = validatorFor(name);
  if (validator) {
    // Only what the run itself creates has a version that it knows.
    if (method === 'GET') return example;
    return { late: 'validator', header: validator, ...(example === undefined ? {} : { otherwise: example }) };
  }
  const harmless = (/-since$/i.test(name) ? LONG_AGO : MATCHING_NOTHING).find((each) =>
    isFitting(schema, each),
  );
  // `If-None-Match: *` may be what a creation has to have.
  return method === 'GET' ? (harmless ?? example) : (example ?? harmless);
}

/** Whether petspec would have to invent the value of a precondition. */
export function isInvented({ in: place, name, isStated }: Parameter): boolean {
  return place === 'header' && isPrecondition(name) && !isStated;
}

/** What the document says, as a version that petspec invents is none of the service's. */
function exampleOf(parameter: Parameter): string | undefined {
  const { example, schema } = parameter;
  const isSaid = [example, schema.example, schema.default, schema.enum].some((each) => each !== undefined);
  const value = isSaid ? exampleValue(parameter) : undefined;
  return typeof value === 'string' ? value : undefined;
}
