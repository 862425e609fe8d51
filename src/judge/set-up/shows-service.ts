import { schemaErrors } from '../../contract/validation/schema-validator.ts';
import type { Contract, Operation, Schema } from '../../model/contract.ts';
import { type Exchange, isSuccess, type Received } from '../../model/exchange.ts';
import { isJson } from '../../model/http/media-type.ts';
import { parseJson } from '../../model/json.ts';
import { mediaTypeOf } from '../evidence/same-failure.ts';
import { documentedStatus } from '../exchange/status.ts';

/** Headers of a rate limit, in any dialect. A proxy or gateway rarely sends one. */
const RATE_LIMIT = /rate-?limit/i;

/**
 * Whether a response is a sign of the service: it has a header of the rate limit, an error body that the interface
 * documents, or, with a success, JSON of any shape or whatever else the operation documents.
 */
export function showsService({ response, operation }: Exchange, contract: Contract): boolean {
  if (!response) return false;
  const { headers, status } = response;
  if (headers.some(([name]) => RATE_LIMIT.test(name))) return true;
  const asked = contract.operations.find(({ id }) => id === operation);
  if (!asked) return false;
  if (status >= 400) return isError(response, contract);
  return isListed(response, asked) || (isSuccess({ response }) && hasJson(response));
}

/** Whether a body is JSON, or says so. */
export function hasJson(response: Received): boolean {
  const isDeclared = isJson(mediaTypeOf(response) ?? '');
  return isDeclared || response.unread !== undefined || parseJson(response.body).ok;
}

/** Whether a document lists the status, and of a body that should be JSON the media type. */
function isListed(response: Received, operation: Operation): boolean {
  const key = documentedStatus(operation, response.status);
  const listed = operation.responses.find((each) => each.status === key && key !== 'DEFAULT');
  if (!listed) return false;
  const { mediaType, otherMediaTypes = [] } = listed;
  if (mediaType === undefined) return response.body === '';
  return [mediaType, ...otherMediaTypes].some((each) => !isJson(each));
}

const errorSchemas = new WeakMap<Contract, readonly Schema[]>();

/** Whether a body has a shape that the interface documents for an error, whichever operation has it. */
function isError({ body }: Received, contract: Contract): boolean {
  const known = errorSchemas.get(contract) ?? schemasOf(contract);
  errorSchemas.set(contract, known);
  const parsed = parseJson(body);
  return parsed.ok && known.some((schema) => schemaErrors(schema, parsed.value).length === 0);
}

function schemasOf({ operations }: Contract): readonly Schema[] {
  const errors = operations.flatMap(({ responses }) =>
    responses.filter(({ status }) => /^[45D]/.test(status)),
  );
  return [...new Set(errors.flatMap(({ schema }) => (schema ? [schema] : [])))];
}
