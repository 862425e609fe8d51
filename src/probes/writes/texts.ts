import type { Schema } from '../../model/contract.ts';
import { type Late, OWN_LENGTH } from '../../model/probe.ts';
import { fitsSchema, fittingValue, OF_FORMAT } from '../reads/example-value.ts';

/** Room for the characters that differ by request. */
const LIKE = `petspec-${'x'.repeat(OWN_LENGTH)}`;

/** `petspec-12345678@example.com` */
const EMAIL_LENGTH = LIKE.length + '@example.com'.length;

/**
 * A text that fits a schema; undefined if petspec finds none.
 * @param of the probe that sends it
 * @param isOther whether it should be another one than usual
 */
export function textOf(schema: Schema, of: string, isOther: boolean): unknown {
  const { format, pattern } = schema;
  const own = ownText(schema, of);
  if (own) return own;
  if (isOther && pattern === undefined && format === 'date') return '2020-02-29';
  // Django REST framework writes amounts as texts with a pattern. Digits alone could be the id of something.
  return fittingValue(schema) ?? (pattern !== undefined && fitsSchema(AMOUNT, schema) ? AMOUNT : undefined);
}

const AMOUNT = '1.0';

/**
 * A text that differs by request and by run; undefined if the schema leaves no room for one.
 * @param of the probe that sends it
 */
export function ownText(schema: Schema, of: string): Late | undefined {
  const { type, enum: members, format, pattern, minLength = 0 } = schema;
  const { maxLength = Number.POSITIVE_INFINITY } = schema;
  if (type !== 'string' || members || pattern !== undefined) return undefined;
  const isFree = format === undefined || !Object.hasOwn(OF_FORMAT, format);
  if (isFree && maxLength >= OWN_LENGTH) {
    const like = LIKE.slice(-Math.min(maxLength, LIKE.length)).padStart(minLength, 'x');
    return { late: 'own', as: 'text', like, of };
  }
  if (format === 'email' && maxLength >= EMAIL_LENGTH) return { late: 'own', as: 'email', of };
  return format === 'uuid' ? { late: 'own', as: 'uuid', of } : undefined;
}
