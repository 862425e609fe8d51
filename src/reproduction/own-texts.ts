import { formFields } from '../judge/written/fields.ts';
import type { Schema } from '../model/contract.ts';
import { type Json, parseJson } from '../model/json.ts';
import { isLate, type Late, OWN_LENGTH, type Probe } from '../model/probe.ts';
import { type OwnValue, placeOf, type SentRequest } from '../model/report/reproduction.ts';

/** A text that a request must not share with any other request of any run. */
interface OwnText {
  /** The probe that it belongs to. Bodies that share a text share it in a reproduction too. */
  of: string;
  /** Its end, as it was sent. */
  end: string;
  as: OwnValue['as'];
}

/** The length of a longer text may be what shows the violation. */
const LONG = 200;

/** Puts places in the requests of one reproduction, in which texts are that each repetition has to send anew. */
export class OwnTexts {
  readonly #schemaOf: (operation: string) => Schema | undefined;
  readonly #known = new Map<string, OwnValue>();

  /** @param schemaOf the schema of an operation's request body */
  constructor(schemaOf: (operation: string) => Schema | undefined) {
    this.#schemaOf = schemaOf;
  }

  get all(): OwnValue[] {
    return [...this.#known.values()];
  }

  /** The request with a place for the end of each own text. */
  replaced<Request extends SentRequest>(request: Request, probe: Probe | undefined): Request {
    const own = [
      ...textsOfHeaders(probe, request),
      ...textsOfBody(probe, request, this.#schemaOf(request.operation)),
    ];
    const written = (text: string) =>
      own.reduce((whole, each) => whole.replaceAll(each.end, () => placeOf(this.#nameOf(each))), text);
    const { requestBody, requestHeaders } = request;
    return {
      ...request,
      requestHeaders: requestHeaders.map(([name, value]) =>
        isOwnHeader(probe, name) ? ([name, written(value)] as const) : ([name, value] as const),
      ),
      requestBody: requestBody && written(requestBody),
    };
  }

  #nameOf({ of, as }: OwnText): string {
    const count = this.#known.size;
    const known = this.#known.get(of) ?? { name: `unique${count === 0 ? '' : count + 1}`, as };
    this.#known.set(of, known);
    return known.name;
  }
}

/** Whether a header has a value of its own in each request. */
function isOwnHeader(probe: Probe | undefined, name: string): boolean {
  const stated = probe?.headers?.find(([each]) => each.toLowerCase() === name.toLowerCase());
  return stated !== undefined && isLate(stated[1]) && stated[1].late === 'own';
}

/** Those of headers such as Idempotency-Key: to one that it knows, a service may respond as it did before. */
function textsOfHeaders(probe: Probe | undefined, { requestHeaders }: SentRequest): OwnText[] {
  return requestHeaders.flatMap(([name, value]) =>
    probe && isOwnHeader(probe, name) ? [{ of: probe.id, end: value.slice(-OWN_LENGTH), as: 'digits' }] : [],
  );
}

function textsOfBody(probe: Probe | undefined, request: SentRequest, schema: Schema | undefined): OwnText[] {
  const template = probe?.body;
  if (!template || !('json' in template)) return [];
  const sent = sentValue(request);
  return valuesIn(template.json, sent, schema).flatMap(({ late, value, schema: own }) => {
    const text = late.late === 'own' ? ownText(late, value, own) : undefined;
    return text ?? [];
  });
}

/** The value that a request sent in its body; undefined if it is neither JSON nor a form. */
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

/** The other probe whose own text this probe sends again, if any. */
export function sharesTextWith(probe: Probe | undefined): string | undefined {
  if (!probe?.body || !('json' in probe.body)) return undefined;
  const all = valuesIn(probe.body.json, undefined, undefined);
  return all.flatMap(({ late }) => (late.late === 'own' && late.of !== probe.id ? late.of : []))[0];
}

/** The late values of a body's template, each with what was sent in its place. */
export function valuesIn(
  template: unknown,
  sent: Json | undefined,
  schema: Schema | undefined,
): { late: Late; value: Json | undefined; schema: Schema | undefined }[] {
  if (isLate(template)) return [{ late: template, value: sent, schema }];
  if (typeof template !== 'object' || template === null) return [];
  const values = typeof sent === 'object' && sent !== null ? (sent as { [name: string]: Json }) : {};
  return Object.entries(template).flatMap(([name, each]) =>
    valuesIn(each, values[name], schema?.properties?.[name] ?? schema?.items),
  );
}
