import { formFields } from '../judge/written/fields.ts';
import type { Schema } from '../model/contract.ts';
import { type Json, parseJson } from '../model/json.ts';
import { isLate, type Late, OWN_LENGTH, type Probe } from '../model/probe.ts';
import { type OwnValue, placeOf, type SentRequest } from '../model/report/reproduction.ts';

/** A text that must be unique to a request, in this run and in others. */
interface OwnText {
  /** Id of the probe that it belongs to. Bodies that share a text share it in a reproduction too. */
  of: string;
  /** The end of the text as it was sent. */
  end: string;
  as: OwnValue['as'];
}

/** In characters. Of a longer text the length may be the violation, so it stays the same. */
const LONG = 200;

/** Replaces the unique texts in the requests of one reproduction with places, for which each repetition makes a new text. */
export class OwnTexts {
  readonly #schemaOf: (operation: string) => Schema | undefined;
  /** By id of the probe. */
  readonly #values = new Map<string, OwnValue>();

  /** @param schemaOf the schema of an operation's request body */
  constructor(schemaOf: (operation: string) => Schema | undefined) {
    this.#schemaOf = schemaOf;
  }

  get all(): OwnValue[] {
    return [...this.#values.values()];
  }

  /** The request with a place for the end of each unique text. */
  replaced<Request extends SentRequest>(request: Request, probe: Probe | undefined): Request {
    const ownTexts = [
      ...textsOfHeaders(probe, request),
      ...textsOfBody(probe, request, this.#schemaOf(request.operation)),
    ];
    const withPlaces = (text: string) =>
      ownTexts.reduce(
        (whole, ownText) => whole.replaceAll(ownText.end, () => placeOf(this.#nameOf(ownText))),
        text,
      );
    const { requestBody, requestHeaders } = request;
    return {
      ...request,
      requestHeaders: requestHeaders.map(([name, value]) =>
        isOwnHeader(probe, name) ? ([name, withPlaces(value)] as const) : ([name, value] as const),
      ),
      requestBody: requestBody && withPlaces(requestBody),
    };
  }

  #nameOf({ of, as }: OwnText): string {
    const count = this.#values.size;
    const value = this.#values.get(of) ?? { name: `unique${count === 0 ? '' : count + 1}`, as };
    this.#values.set(of, value);
    return value.name;
  }
}

/** Whether a header has a different value in each request. */
function isOwnHeader(probe: Probe | undefined, name: string): boolean {
  const stated = probe?.headers?.find(([header]) => header.toLowerCase() === name.toLowerCase());
  return stated !== undefined && isLate(stated[1]) && stated[1].late === 'own';
}

/** Headers such as Idempotency-Key: to a value that it knows, a service may repeat its earlier response. */
function textsOfHeaders(probe: Probe | undefined, { requestHeaders }: SentRequest): OwnText[] {
  return requestHeaders.flatMap(([name, value]) =>
    probe && isOwnHeader(probe, name) ? [{ of: probe.id, end: value.slice(-OWN_LENGTH), as: 'digits' }] : [],
  );
}

function textsOfBody(probe: Probe | undefined, request: SentRequest, schema: Schema | undefined): OwnText[] {
  const template = probe?.body;
  if (!template || !('json' in template)) return [];
  const sent = sentValue(request);
  return valuesIn(template.json, sent, schema).flatMap(({ late, value, schema: valueSchema }) =>
    late.late === 'own' ? (ownText(late, value, valueSchema) ?? []) : [],
  );
}

/** The value of a request's body; undefined if the body is neither JSON nor a form. */
export function sentValue(request: SentRequest): Json | undefined {
  const json = parseJson(request.requestBody ?? '');
  return json.ok ? json.value : formFields(request);
}

function ownText(
  late: Extract<Late, { late: 'own' }>,
  sent: Json | undefined,
  schema: Schema | undefined,
): OwnText | undefined {
  const { of } = late;
  if (late.as === 'uuid' || late.as === 'one-of') return undefined;
  if (late.as === 'email' && typeof sent === 'string')
    return { of, end: sent.slice(0, sent.indexOf('@')).slice(-OWN_LENGTH), as: 'digits' };
  if (typeof sent === 'string' && sent.length >= OWN_LENGTH) {
    const isBounded = schema?.minLength !== undefined || schema?.maxLength !== undefined;
    return { of, end: sent.slice(-OWN_LENGTH), as: isBounded || sent.length > LONG ? 'digits' : 'any' };
  }
  const isLong = typeof sent === 'number' && String(sent).length >= OWN_LENGTH;
  return isLong ? { of, end: String(sent), as: 'number' } : undefined;
}

/** The id of the other probe whose unique text this probe sends again, if any. */
export function sharesTextWith(probe: Probe | undefined): string | undefined {
  if (!probe?.body || !('json' in probe.body)) return undefined;
  const lateValues = valuesIn(probe.body.json, undefined, undefined);
  return lateValues.flatMap(({ late }) => (late.late === 'own' && late.of !== probe.id ? late.of : []))[0];
}

/** The late values of a body's template, each with the value that was sent for it. */
export function valuesIn(
  template: unknown,
  sent: Json | undefined,
  schema: Schema | undefined,
): { late: Late; value: Json | undefined; schema: Schema | undefined }[] {
  if (isLate(template)) return [{ late: template, value: sent, schema }];
  if (typeof template !== 'object' || template === null) return [];
  const values = typeof sent === 'object' && sent !== null ? (sent as { [name: string]: Json }) : {};
  return Object.entries(template).flatMap(([name, member]) =>
    valuesIn(member, values[name], schema?.properties?.[name] ?? schema?.items),
  );
}
