import { isObject } from '../contract/schema.ts';
import type { Operation, Schema } from '../model/contract.ts';
import { OPEN } from '../model/http/expectation.ts';
import {
  isLate,
  type Late,
  type LenientForm,
  lateValuesIn,
  type Probe,
  type RequestVariation,
} from '../model/probe.ts';
import { fitted, LONG, longText, longTextOfSigns, sample } from './plain-values.ts';

/** Longer texts (characters) are for services that read a body in parts. */
const LARGE = 5_000;

/** The id of the variation with plain letters as long as a refused text: it shows whether the text was too long. */
export const AS_LONG = 'text:as-long';

/** A probe with other values or another order of its query, and other texts in its body. */
export function variedProbe(
  probe: Probe,
  operation: Operation,
  variations: readonly RequestVariation[],
): Probe {
  if (variations.length === 0) return probe;
  const values = variations.filter((variation) => variation.kind === 'query-value');
  const isBare = variations.some(({ kind }) => kind === 'query-none');
  const query = [
    ...(isBare ? [] : probe.query).filter(([name]) => !values.some((value) => value.name === name)),
    ...values.map(({ name, value }) => [name, value] as const),
    ...undocumentedIn('parameter', variations),
  ];
  const headers = [...(probe.headers ?? []), ...undocumentedIn('header', variations)];
  const lenient = variations.map(lenientTitle).find((title) => title !== undefined);
  const { rule, ...rest } = probe;
  const body = variedBody(probe, operation.body?.schema, variations);
  return {
    ...rest,
    ...(body ? { body } : {}),
    // A request with another value does not test the rule of the original value.
    ...(rule === undefined || values.length > 0 || isBare ? {} : { rule }),
    ...(headers.length === 0 ? {} : { headers }),
    query: variations.some(({ kind }) => kind === 'query-order') ? inReverse(query) : query,
    // Nothing says whether a service accepts it.
    ...(lenient === undefined ? {} : { title: lenientTitleOf(probe, lenient), expectation: OPEN }),
  };
}

/** Parameters or headers that the interface does not list. */
function undocumentedIn(
  part: 'parameter' | 'header',
  variations: readonly RequestVariation[],
): (readonly [name: string, value: string])[] {
  return variations.flatMap((variation) =>
    variation.kind === 'undocumented' && variation.part === part
      ? [[variation.name, String(variation.value)] as const]
      : [],
  );
}

/** The parameters of a query in reverse. The entries of a list keep their order, which may mean something. */
function inReverse(query: Probe['query']): Probe['query'] {
  const names = [...new Set(query.map(([name]) => name))];
  return names.reverse().flatMap((name) => query.filter((pair) => pair[0] === name));
}

const FORM_TITLES: Readonly<Record<LenientForm, string>> = {
  'accept-absent': 'without Accept',
  'accept-any': 'with Accept: */*',
  'accept-list': 'with several types in Accept',
  'user-agent': 'with another User-Agent',
  origin: 'with an Origin',
  'unknown-parameter': 'with an unknown parameter',
  'type-charset': 'with a charset in Content-Type',
  'type-case': 'with Content-Type in another case',
  'type-text': 'with Content-Type text/plain',
  'type-form': 'with the Content-Type of a form',
  'type-absent': 'without Content-Type',
  chunked: 'with the body in chunks',
  encoding: 'with Content-Encoding: gzip, but not compressed',
  'broken-accept': 'with a malformed Accept',
  'broken-percent': 'with a percent sign that escapes nothing',
  spelling: 'with a needless percent-encoding',
};

/** The words for a variation that a service may refuse; undefined if it may not. */
function lenientTitle(variation: RequestVariation): string | undefined {
  switch (variation.kind) {
    case 'text-length':
      return `texts of ${variation.length} characters`;
    case 'risky-text':
      return 'texts that may be read as code';
    case 'undocumented':
      return `with the undocumented ${variation.part} ${variation.name}`;
    case 'lenient':
      return FORM_TITLES[variation.form];
    default:
      return undefined;
  }
}

/** A long text is replaced; a form comes on top of what the request is. */
function lenientTitleOf(probe: Probe, title: string): string {
  return hasLongText(probe) ? title : `${probe.title}, ${title}`;
}

/** The body with other texts, and with more fields. */
function variedBody(
  { body }: Probe,
  schema: Schema | undefined,
  variations: readonly RequestVariation[],
): Probe['body'] {
  if (!body || !('json' in body)) return body;
  const texts = variations.filter((variation) => variation.kind === 'text').map(({ text }) => text);
  const length = variations.find((variation) => variation.kind === 'text-length')?.length;
  const risky = variations.find((variation) => variation.kind === 'risky-text')?.text;
  const optional = variations.find((variation) => variation.kind === 'optional-fields');
  const more = variations.flatMap((variation) =>
    variation.kind === 'undocumented' && variation.part === 'field'
      ? [[variation.name, variation.value] as const]
      : [],
  );
  if (more.length > 0 && isRecord(body.json)) return { json: { ...body.json, ...Object.fromEntries(more) } };
  if (texts.length === 0 && length === undefined && risky === undefined && !optional) return body;
  const complete =
    optional && isRecord(body.json)
      ? { ...body.json, ...leftOutMembers({ body }, schema, optional.variety) }
      : body.json;
  const json = mapLate(complete, schema, (late, field = {}) => {
    if (isLong(late) && length !== undefined)
      return { ...late, like: length > LARGE ? longTextOfSigns(length) : longText(length) };
    if (isLong(late) && risky !== undefined) return { ...late, like: fitted(risky, field) };
    return isFree(late, field) && texts.length > 0 ? { ...late, like: fitted(texts.join(' '), field) } : late;
  });
  return { json };
}

/**
 * The probe for another attempt. Its texts differ from those of earlier attempts, because a service may require unique names.
 * @param isWhole whether the requests that it depends on are sent again as well: then the texts that it shares with them differ,
 * too
 */
export function againProbe(probe: Probe, attempt: number, isWhole = false): Probe {
  const { body, headers = [], id } = probe;
  if (attempt === 0 || !body || !('json' in body)) return probe;
  const again = (value: unknown) =>
    mapLate(value, undefined, (late) =>
      late.late === 'own' && (isWhole || late.of === id) ? { ...late, of: `${late.of} ${attempt}` } : late,
    );
  return {
    ...probe,
    ...(headers.length === 0
      ? {}
      : { headers: headers.map(([name, value]) => [name, again(value) as typeof value]) }),
    body: { json: again(body.json) },
  };
}

/** The fields with an enumeration that a body leaves out, each with a member. */
export function leftOutMembers(
  { body }: Pick<Probe, 'body'>,
  schema: Schema | undefined,
  variety: number,
): Record<string, unknown> {
  if (!body || !('json' in body) || !isRecord(body.json)) return {};
  const { json } = body;
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {})
      .filter(([name, field]) => field.enum !== undefined && !(name in json))
      .map(([name, field]) => [name, sample(name, field, variety)]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !isLate(value);
}

/** Whether a body has a text that may be replaced by any other text. */
export function hasFreeText({ body, id }: Probe, operation: Operation): boolean {
  if (!body || !('json' in body)) return false;
  let hasText = false;
  mapLate(body.json, operation.body?.schema, (late, schema) => {
    hasText ||= isFree(late, schema) && late.of === id;
    return late;
  });
  return hasText;
}

/** Whether a text is the plain sample: other texts are there for a reason. */
function isFree(late: Late, schema: Schema = {}): late is Extract<Late, { late: 'own'; as: 'text' }> {
  return late.late === 'own' && late.as === 'text' && late.like === sample('', schema);
}

/** Whether a body has a text that is longer than any interface needs. */
export function hasLongText({ body }: Probe): boolean {
  return lateValuesIn(body).some(isLong);
}

function isLong(late: Late): late is Extract<Late, { late: 'own'; as: 'text' }> {
  return late.late === 'own' && late.as === 'text' && late.like === longText(LONG);
}

/** Replaces the late values in a part of a body. */
function mapLate(
  value: unknown,
  schema: Schema | undefined,
  change: (late: Late, schema?: Schema) => Late,
): unknown {
  if (isLate(value)) return change(value, schema);
  if (Array.isArray(value)) return value.map((entry) => mapLate(entry, schema?.items, change));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      mapLate(member, schema?.properties?.[name], change),
    ]),
  );
}
