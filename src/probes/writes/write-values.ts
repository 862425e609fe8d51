import type { Operation, Parameter } from '../../model/contract.ts';
import { isPrecondition } from '../../model/http/preconditions.ts';
import { type Readable, valuesOf } from '../reads/find-reads.ts';
import { ownText } from './texts.ts';

/**
 * The parameters that a request needs which changes something; the name of one that has no value. Headers such as
 * Idempotency-Key have a value of their own in each request and run, as the texts of bodies have: a service may answer a key
 * that it knows with its earlier response.
 * @param of the probe that sends them
 */
export function writeValues(
  operation: Operation,
  of: string,
): Pick<Readable, 'query' | 'headers' | 'cookies'> | string {
  const values = valuesOf(operation, ({ required, isStated }) => required || isStated === true);
  if (typeof values === 'string') return values;
  const headers = values.headers.map(([name, value]) => {
    const stated = operation.parameters.find((each) => each.in === 'header' && each.name === name);
    return [
      name,
      (stated && !isPrecondition(name) && !hasExample(stated) && ownText(stated.schema, of)) || value,
    ] as const;
  });
  return { ...values, headers };
}

function hasExample({ example, schema }: Parameter): boolean {
  return [example, schema.example, schema.default].some((each) => each !== undefined);
}
