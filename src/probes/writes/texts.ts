import type { Schema } from '../../model/contract.ts';
import { type Late, OWN_LENGTH } from '../../model/probe.ts';
import { OF_FORMAT } from '../../requests/plain-values.ts';
import { fitsSchema, fittingValue, TEXT } from '../reads/example-value.ts';
import { patternTexts } from '../reads/pattern-text.ts';

/** A placeholder for the characters that differ by request. */
const OWN = 'x'.repeat(OWN_LENGTH);
const LIKE = `petspec-${OWN}`;

/** Forms of unique texts: a pattern may allow letters alone, or only short texts. */
const LIKES = [LIKE, `petspec${OWN}`, OWN];

/** `petspec-12345678@example.com` */
const EMAIL_LENGTH = LIKE.length + '@example.com'.length;

/**
 * A text that satisfies a schema; undefined if petspec finds none.
 * @param probeId the probe that sends it
 * @param isOther whether it should differ from the usual text
 */
export function textOf(schema: Schema, probeId: string, isOther: boolean): unknown {
  const { format, pattern } = schema;
  const unique = ownText(schema, probeId);
  if (unique) return unique;
  if (isOther && pattern === undefined && format === 'date') return '2020-02-29';
  // Django REST framework writes amounts as texts with a pattern.
  if (pattern !== undefined && fitsSchema(AMOUNT, schema)) return AMOUNT;
  const plain = fittingValue(schema);
  if (plain === TEXT) return plain;
  const texts = patternTexts(schema).filter((text) => fitsSchema(text, schema));
  return texts.length > 0 && plain === texts[0]
    ? ({ late: 'own', as: 'one-of', texts, of: probeId } satisfies Late)
    : plain;
}

const AMOUNT = '1.0';

/**
 * A text that differs by request and by run; undefined if the schema has no room for one.
 * @param probeId the probe that sends it
 */
export function ownText(schema: Schema, probeId: string): Late | undefined {
  const { type, enum: members, format, pattern, minLength = 0 } = schema;
  const { maxLength = Number.POSITIVE_INFINITY } = schema;
  if (type !== 'string' || members) return undefined;
  const isFree = format === undefined || !Object.hasOwn(OF_FORMAT, format);
  if (isFree && maxLength >= OWN_LENGTH) {
    const likes = LIKES.map((text) => text.slice(-Math.min(maxLength, text.length)).padStart(minLength, 'x'));
    const like = likes.find((text) => pattern === undefined || mayDiffer(text, schema));
    return like === undefined ? undefined : { late: 'own', as: 'text', like, of: probeId };
  }
  if (pattern !== undefined) return undefined;
  if (format === 'email' && maxLength >= EMAIL_LENGTH) return { late: 'own', as: 'email', of: probeId };
  return format === 'uuid' ? { late: 'own', as: 'uuid', of: probeId } : undefined;
}

/** Whether a schema allows a text with other letters at the end. */
function mayDiffer(like: string, schema: Schema): boolean {
  return [like, `${like.slice(0, -OWN_LENGTH)}bcdfghjk`].every((text) => fitsSchema(text, schema));
}

/**
 * Last words of names whose texts usually have a form that documents do not state: a service would refuse the whole body for one
 * of them.
 */
const OF_A_FORM: ReadonlySet<string> = new Set(
  [
    'id uuid guid ref key code slug sku isbn ean number no login user username nickname password passwd pwd confirmation secret',
    'token hash signature email mail phone mobile tel fax url uri link href website path file filename folder domain host hostname',
    'ip address date time at on from to until start end since day month year timezone tz duration interval cron color colour locale',
    'lang language currency country region state status type kind mode format encoding mime pattern regex query version zip',
    'postcode iban bic vat amount price total quantity lat lng latitude longitude gender role data image avatar icon',
  ]
    .join(' ')
    .split(' '),
);

/** Whether a field may have any text: its schema states no form, and its name suggests none. */
export function isFreeText({ type, enum: members, format, pattern }: Schema, name: string): boolean {
  const [last = ''] = name
    .split(/[^a-zA-Z0-9]+|(?<=[a-z0-9])(?=[A-Z])/)
    .filter((word) => word !== '')
    .slice(-1);
  const isStated =
    type !== 'string' || members !== undefined || format !== undefined || pattern !== undefined;
  return !isStated && !OF_A_FORM.has(last.toLowerCase());
}
