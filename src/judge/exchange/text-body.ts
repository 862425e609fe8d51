import { mediaTypeOf } from '../../contract/document/media-type.ts';
import type { ShapedBody } from '../../model/contract.ts';
import type { Received } from '../../model/exchange.ts';
import type { JudgedPart } from '../judged.ts';
import { judgeShape } from './shape.ts';

/**
 * Judges a text by its schema, with and without what many servers put around it: a line break at the end, a byte order mark at
 * the beginning. What petspec cannot decode may be right.
 * @param types the media types that the response declares
 */
export function judgeText(
  { body, undecodable, status }: Received,
  { schema, bodyRequirement }: Pick<ShapedBody, 'schema' | 'bodyRequirement'>,
  types: readonly string[],
): JudgedPart {
  const charsets = types.flatMap((type) => mediaTypeOf(type).parameters).filter(isOtherCharset);
  if (undecodable || charsets.length > 0) return { met: [], deviations: [], hidden: [] };
  const judged = (text: string) => judgeShape(text, schema, bodyRequirement, status);
  const bare = judged(body.replace(/^\ufeff/, '').replace(/\r?\n$/, ''));
  return bare.deviations.length === 0 ? bare : judged(body);
}

function isOtherCharset(parameter: string): boolean {
  return /^charset=/.test(parameter) && !/^charset=(?:utf-?8|us-ascii)$/.test(parameter);
}
