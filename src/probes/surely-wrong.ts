import { isFitting } from '../contract/validation/parameter-bounds.ts';
import type { Contract, Operation, Parameter, RequestBody } from '../model/contract.ts';
import { hasRawByte } from '../model/json/raw-bytes.ts';
import { parseJson } from '../model/json.ts';
import type { Probe } from '../model/probe.ts';
import { isSentValid } from './writes/sent-value.ts';

/**
 * Whether what a probe sends as wrong is wrong by the document, however it was derived: a value may be right by a keyword that its
 * derivation did not look at. What is wrong otherwise, by its key or as an id that does not exist, is not looked at here.
 */
export function isSurelyWrong(probe: Probe, operation: Operation): boolean {
  const { validity, key, query, body } = probe;
  if (validity !== 'invalid' || key !== 'valid') return true;
  if (body && operation.body) return isWrongBody(operation.body, body);
  const stated = operation.parameters.filter((each) => each.in === 'query');
  const sent = query.flatMap(([name, text]) => {
    const parameter = stated.find((each) => each.name === name);
    return parameter ? [{ parameter, text }] : [];
  });
  return sent.length === 0 || sent.some(({ parameter, text }) => isWrongText(parameter, text));
}

/** The same for the probes of a contract. */
export function surelyWrongIn({ operations }: Pick<Contract, 'operations'>): (probe: Probe) => boolean {
  const byId = new Map(operations.map((each) => [each.id, each]));
  return (probe) => {
    const operation = byId.get(probe.operation);
    return operation === undefined || isSurelyWrong(probe, operation);
  };
}

/** Whether a body that is sent violates the schema of an operation, or is no JSON. */
function isWrongBody(
  { schema, required }: Pick<RequestBody, 'schema' | 'required'>,
  body: NonNullable<Probe['body']>,
): boolean {
  if ('text' in body) {
    if (body.text.trim() === '') return required;
    const parsed = parseJson(body.text);
    return hasRawByte(body.text) || !parsed.ok || !isFitting(schema, parsed.value);
  }
  return !isSentValid(schema, body.json);
}

/** Whether a text in a query is no value of a parameter, also if it is read as a number or a boolean. */
function isWrongText({ schema }: Parameter, text: string): boolean {
  const parsed = parseJson(text);
  return !isFitting(schema, text) && !(parsed.ok && isFitting(schema, parsed.value));
}
