import type { Operation } from '../../model/contract.ts';
import { essence } from '../../model/http/media-type.ts';
import type { DocumentReading, Node } from '../openapi/reading.ts';
import { isSequential } from '../openapi/sequences.ts';
import { unsupportedKey } from './credentials.ts';

/** Why petspec can judge nothing of an operation; undefined if it can. */
export function unsupportedIn(
  document: Node,
  { path, method, item }: { path: string; method: string; item: Node },
  operation: Operation,
  reading: DocumentReading,
): string | undefined {
  const source = item[method] as Node;
  const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  const stated = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name);
  const missing = named.find((name) => name !== undefined && !stated.includes(name));
  if (missing !== undefined) return `the path has {${missing}}, and no parameter describes it`;
  if (path.includes('?') || path.includes('#')) return 'the path has a query or a fragment';
  if (['HEAD', 'OPTIONS', 'TRACE'].includes(operation.method))
    return `petspec does not send ${operation.method} requests`;
  const stream = streamOf(operation);
  if (stream !== undefined) return `it answers with a stream (${stream})`;
  return unsupportedKey(document, source, reading);
}

/** The media type of the events or lines that an operation answers with, where nothing says what one of them is. */
export function streamOf({ responses }: Pick<Operation, 'responses'>): string | undefined {
  return responses.find(
    ({ mediaType, schema }) => mediaType !== undefined && isStream(mediaType) && schema === undefined,
  )?.mediaType;
}

function isStream(mediaType: string): boolean {
  return isSequential(mediaType) || essence(mediaType) === 'multipart/x-mixed-replace';
}
