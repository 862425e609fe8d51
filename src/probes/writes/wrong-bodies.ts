import { alternativesOf, isObject } from '../../contract/schema.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { expecting, OPEN } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import { NO_OBJECTS, type NoObject } from '../bodies.ts';
import { probe } from '../probe.ts';
import { isSentValid } from '../validity.ts';
import { type Wrong, type WrongKind, wrongValues } from '../values.ts';
import { validBody } from './bodies.ts';
import { type Place, placesIn, withoutAt, withValueAt } from './places.ts';
import { writeValues } from './write-request.ts';

/** The media types of forms. */
const FORMS: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data']);

/** The most bodies with a wrong field for a creation, and in a sandbox, where nothing that is created is in the way. */
const MAX_WRONG = 12;
const MAX_WRONG_IN_SANDBOX = 30;

/** The most bodies with a wrong field for a change: a service that does not validate it keeps the wrong value. */
const MAX_WRONG_CHANGES = 2;

/** So many wrong objects come before what is no object: a service that accepts all reaches the most that a run creates. */
const FIRST_OBJECTS = 4;

interface WrongBody {
  name: string;
  title: string;
  body: NonNullable<Probe['body']>;
  /**
   * What a refusal may be: as documented; any, as frameworks refuse such a body with an error page of their own, before the service
   * sees it; or there need not be one.
   */
  refusal?: 'any' | 'none';
}

/**
 * Bodies of a creation that are each wrong in one way and should get a documented 400 or 422. If none is documented, they still must
 * not break the service. Lenient parsers repair two of them: frameworks are often configured to convert a value of another type, and
 * to drop a field that the schema rules out, which the document does not say.
 */
export function wrongBodies(
  operation: Operation,
  path: Probe['path'],
  controls: readonly string[],
  most = operation.isUnguarded ? MAX_WRONG_IN_SANDBOX : MAX_WRONG,
): Probe[] {
  const objects = wrongObjects(operation, most);
  return probesOf(operation, path, controls, [
    ...objects.slice(0, FIRST_OBJECTS),
    ...NO_OBJECTS.flatMap((kind) => noObject(operation, kind)),
    ...objects.slice(FIRST_OBJECTS),
  ]);
}

/** Fewer wrong bodies of a change. */
export function wrongChanges(
  operation: Operation,
  path: Probe['path'],
  controls: readonly string[],
): Probe[] {
  const malformed = NO_OBJECTS.filter(({ kind }) => kind === 'malformed');
  return probesOf(operation, path, controls, [
    ...wrongObjects(operation, MAX_WRONG_CHANGES),
    ...malformed.flatMap((kind) => noObject(operation, kind)),
  ]);
}

function probesOf(
  operation: Operation,
  path: Probe['path'],
  controls: readonly string[],
  bodies: readonly WrongBody[],
): Probe[] {
  const refused = ['400', '422', '4XX'].filter((refusal) =>
    operation.responses.some(({ status }) => status === refusal),
  );
  return bodies.flatMap(({ name, title, body: wrong, refusal }) => {
    const values = writeValues(operation, `${operation.id}:${name}`);
    if (typeof values === 'string') return [];
    const isOpen = refused.length === 0 || refusal === 'none';
    return probe(operation, name, 'invalid', {
      title,
      validity: isOpen ? 'open' : 'invalid',
      expectation: isOpen ? OPEN : expecting([], refused),
      ...(isOpen ? {} : { rule: `${operation.id}.body` }),
      ...(refusal === 'any' ? { hasOpenRefusal: true } : {}),
      controls,
      isWriting: true,
      ...values,
      path,
      body: wrong,
    });
  });
}

/** What a body is sent as; undefined if petspec makes no wrong bodies of this media type. */
function formOf({ body }: Operation): 'json' | 'form' | undefined {
  if (!body) return undefined;
  if (FORMS.has(body.mediaType)) return 'form';
  return /json$/.test(body.mediaType) ? 'json' : undefined;
}

/** A body that is no object, or no JSON. */
function noObject(operation: Operation, { kind, title, payload }: NoObject): WrongBody[] {
  const { body } = operation;
  if (!body || formOf(operation) !== 'json') return [];
  if (kind === 'malformed') return [{ name: kind, title, body: payload(undefined), refusal: 'none' }];
  const right = validBody(operation, 'second', `${operation.id}:${kind}`);
  // Where a request needs no body, an empty one or null may mean that.
  if (!isObject(right) || !body.required) return [];
  const wrong = payload(right);
  const isValid = 'json' in wrong && isSentValid(body.schema, wrong.json);
  return isValid ? [] : [{ name: kind, title, body: wrong, refusal: 'any' }];
}

/** Objects with a wrong field, at most so many, and those that lenient parsers repair. */
function wrongObjects(operation: Operation, most: number): WrongBody[] {
  const { body } = operation;
  const form = formOf(operation);
  if (!body || !form || !isObject(validBody(operation, 'second', operation.id))) return [];
  const isWrong = ({ body: sent }: WrongBody) => 'json' in sent && !isSentValid(body.schema, sent.json);
  // If the body has alternatives, the first one is used.
  const [schema = body.schema] = body.schema.properties ? [] : alternativesOf(body.schema);
  const repaired = [...(form === 'form' ? [] : otherType(operation, schema)), ...extraField(operation)];
  return [
    ...firstOf(wrongFields(operation, schema, form === 'form'), isWrong, most),
    ...repaired.filter(isWrong),
  ];
}

/** A valid body, except for a field with a value of another type that a parser may convert. */
function otherType(operation: Operation, { properties = {} }: Schema): WrongBody[] {
  const convertible = Object.entries(properties).find(
    ([, { type, ...more }]) => SCALARS.has(type ?? '') && !more.enum,
  );
  if (!convertible) return [];
  const [field, schema] = convertible;
  const name = `${field}-other-type`;
  return wrongValues(field, schema, ['converted']).map(({ title, value }) => ({
    name,
    title: `${field} is ${title}, and the rest is valid`,
    body: { json: { ...wholeOf(operation, name), [field]: value } },
  }));
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

/** A body with an unknown field, which is wrong only where the document says so. */
function extraField(operation: Operation): WrongBody[] {
  const name = 'extra-field';
  const valid = validBody(operation, 'second', `${operation.id}:${name}`);
  if (!isObject(valid)) return [];
  const json = { ...valid, petspecExtra: 1 };
  return [{ name, title: 'a field more than the document allows', body: { json } }];
}

function wholeOf(operation: Operation, name: string): Record<string, unknown> {
  const valid = validBody(operation, 'second', `${operation.id}:${name}`);
  return isObject(valid) ? valid : {};
}

/** The first wrong candidates: a body may have thousands of fields, so the rest is not generated. */
function firstOf(
  candidates: Iterable<WrongBody>,
  isWrong: (wrong: WrongBody) => boolean,
  most: number,
): WrongBody[] {
  const found: WrongBody[] = [];
  for (const candidate of candidates) {
    if (found.length === most) break;
    if (isWrong(candidate)) found.push(candidate);
  }
  return found;
}

/** A field that is missing, or has a wrong value. */
interface FieldMistake {
  place: Place;
  wrong: Wrong | 'missing';
  /** The likeliest mistakes come first. */
  rank: number;
}

/** Bodies with a wrong field, the likeliest mistakes first. */
function* wrongFields(operation: Operation, schema: Schema, isForm: boolean): Generator<WrongBody, void> {
  const places = placesIn(schema, isForm ? 1 : MAX_DEPTH);
  for (const { place, wrong } of ranked(places.flatMap((place) => mistakesAt(place, operation, isForm)))) {
    const { path, words } = place;
    const name = `${path.join('.')}-${wrong === 'missing' ? wrong : wrong.id}`;
    const whole = wholeOf(operation, name);
    const json = wrong === 'missing' ? withoutAt(whole, path) : withValueAt(whole, path, wrong.value);
    const title = `${words} is ${wrong === 'missing' ? wrong : wrong.title}`;
    if (json !== undefined) yield { name, title, body: { json } };
  }
}

/** Fields of objects and of entries of lists, down to this depth. */
const MAX_DEPTH = 3;

/** The ranks of a first mistake of a field, of a bound or the first null, of the first mistake of another kind, and of the others. */
const RANKS = { first: 0, early: 1, ofKind: 2, other: 3 } as const;

/** A field that is missing, and its wrong values. A PATCH may remove a field by null. */
function mistakesAt(place: Place, { method }: Operation, isForm: boolean): FieldMistake[] {
  const { path, schema, kind } = place;
  const mayBeNull = kind === 'entry' || (kind === 'required' && method !== 'PATCH');
  const kinds = isForm ? formKinds(schema) : kindsOf(schema, mayBeNull);
  const deeper = (path.length - 1) * RANKS.ofKind;
  const values = wrongValues(String(path.at(-1)), schema, kinds).map((wrong, index): FieldMistake => {
    const isBound = wrong.facet === 'bound' ? RANKS.early : RANKS.other;
    return { place, wrong, rank: deeper + (index === 0 ? RANKS.first : isBound) };
  });
  return [...(kind === 'required' ? [{ place, wrong: 'missing', rank: deeper } as const] : []), ...values];
}

/** The first mistake of each kind comes before more of the same kind. Inside an object or a list it is another kind. */
function ranked(mistakes: readonly FieldMistake[]): FieldMistake[] {
  const seen = new Set<string>();
  return mistakes
    .map((mistake) => {
      const kind = mistake.wrong === 'missing' ? mistake.wrong : mistake.wrong.id;
      const place = `${mistake.place.path.length} ${kind}`;
      const isNew = !seen.has(place);
      seen.add(place);
      const early = place === '1 null' ? RANKS.early : RANKS.ofKind;
      return isNew ? { ...mistake, rank: Math.min(mistake.rank, early) } : mistake;
    })
    .toSorted((left, right) => left.rank - right.rank);
}

/**
 * The kinds of values that no framework takes for valid ones, the likeliest mistake first. A document leaves open whether null is an
 * absent field, so only a required field and the entry of a list are null.
 */
function kindsOf({ type = '', enum: members }: Schema, mayBeNull: boolean): WrongKind[] {
  const nulls: WrongKind[] = mayBeNull ? ['null'] : [];
  if (members) return ['unknown', ...nulls, 'other case', 'two entries'];
  if (!SCALARS.has(type)) return nulls;
  return ['bounds', 'object', ...nulls, 'two entries', 'fraction', 'int64', 'int32'];
}

/** In a form, every value is a text. */
function formKinds({ type = '', enum: members }: Schema): WrongKind[] {
  if (members) return ['unknown'];
  return ['bounds', ...(SCALARS.has(type) ? (['text'] as const) : [])];
}
