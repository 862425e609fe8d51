import type { Operation, Schema } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import type { Call } from '../reference/http/call.ts';
import { readText } from '../traffic/parameter-values.ts';
import type { ThingKind } from './kinds.ts';
import { isThing, type Thing } from './values.ts';

/** The thing that a client sends, and the schema of it: what an envelope such as `{"data": …}` holds, if the body is one. */
export function sentThing(
  { schema: own }: ThingKind,
  { body }: Operation,
  sent: Json | undefined,
): { thing: Thing; schema: Schema } {
  const schema = body?.schema ?? {};
  const fields = own.properties ?? {};
  const [envelope] = Object.entries(schema.properties ?? {}).filter(
    ([name, { properties }]) =>
      !Object.hasOwn(fields, name) &&
      Object.keys(properties ?? {}).some((each) => Object.hasOwn(fields, each)),
  );
  const whole = isThing(sent) ? sent : {};
  if (!envelope) return { thing: whole, schema };
  const inner = whole[envelope[0]];
  return { thing: isThing(inner) ? inner : {}, schema: envelope[1] };
}

/** The fields of a form; undefined if the body is none. Their values are read as their schemas say. */
export function formIn({ body }: Operation, { bodyText = '', headers }: Call): Thing | undefined {
  const type = headers['content-type'] ?? '';
  if (!body || !/^application\/x-www-form-urlencoded\b/i.test(body.mediaType) || bodyText === '')
    return undefined;
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined;
  const fields = new URLSearchParams(bodyText);
  const { properties = {} } = body.schema;
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const field = properties[name] ?? {};
      const texts = fields.getAll(name);
      const values = texts.map((each) => readText(field.items ?? field, each));
      return [name, field.type === 'array' ? values : (values[0] ?? '')];
    }),
  );
}
