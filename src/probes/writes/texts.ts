import type { Schema } from '../../model/contract.ts';
import { type Late, OWN_LENGTH } from '../../model/probe.ts';
import { OF_FORMAT } from '../../requests/plain-values.ts';
import { fitsSchema, fittingValue, TEXT } from '../reads/example-value.ts';
import { patternTexts } from '../reads/pattern-text.ts';

/** Room for the characters that differ by request. */
const OWN = 'x'.repeat(OWN_LENGTH);
const LIKE = `petspec-${OWN}`;

/** A pattern may allow letters alone, or only short texts. */
const LIKES = [LIKE, `petspec${OWN}`, OWN];

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
  // Django REST framework writes amounts as texts with a pattern.
  if (pattern !== undefined && fitsSchema(AMOUNT, schema)) return AMOUNT;
  const plain = fittingValue(schema);
  if (plain === TEXT) return plain;
  const texts = patternTexts(schema).filter((each) => fitsSchema(each, schema));
  return texts.length > 0 && plain === texts[0]
    ? ({ late: 'own', as: 'one-of', texts, of } satisfies Late)
    : plain;
}

const AMOUNT = '1.0';

/**
 * A text that differs by request and by run; undefined if the schema leaves no room for one.
 * @param of the probe that sends it
 */
export function ownText(schema: Schema, of: string): Late | undefined {
  const { type, enum: members, format, pattern, minLength = 0 } = schema;
  const { maxLength = Number.POSITIVE_INFINITY } = schema;
  if (type !== 'string' || members) return undefined;
  const isFree = format === undefined || !Object.hasOwn(OF_FORMAT, format);
  if (isFree && maxLength >= OWN_LENGTH) {
    const likes = LIKES.map((each) => each.slice(-Math.min(maxLength, each.length)).padStart(minLength, 'x'));
    const like = likes.find((each) => pattern === undefined || mayDiffer(each, schema));
    return like === undefined ? undefined : { late: 'own', as: 'text', like, of };
  }
  if (pattern !== undefined) return undefined;
  if (format === 'email' && maxLength >= EMAIL_LENGTH) return { late: 'own', as: 'email', of };
  return format === 'uuid' ? { late: 'own', as: 'uuid', of } : undefined;
}

/** Whether the end of a text may be other letters. */
function mayDiffer(like: string, schema: Schema): boolean {
  return [like, `${like.slice(0, -OWN_LENGTH)}bcdfghjk`].every((each) => fitsSchema(each, schema));
}
