import { formFields } from '../../judge/written/sent-form.ts';
import type { Schema } from '../../model/contract.ts';
import { type Json, parseJson } from '../../model/json.ts';
import { isLate, type Late, OWN_LENGTH, type Probe } from '../../model/probe.ts';
import { variable } from './command.ts';
import type { SentRequest } from './sent-request.ts';

/** A text that a request must not share with any other request of any run. */
interface UniqueText {
  /** The probe that it belongs to. Bodies that share a text share it in a script too. */
  of: string;
  /** Its end, as it was sent. */
  end: string;
  /** The shell expression that makes another end. */
  expression: string;
}

/** The length of a longer text may be what shows the violation. */
const LONG = 200;

/** Exactly as many digits as the end of such a text has. */
const SAME_LENGTH = '$((RANDOM % 9000 + 1000))$((RANDOM % 9000 + 1000))';

/** The variables of a script for its unique texts. */
export interface UniqueTexts {
  /** The request with a variable instead of each unique text. */
  replaced(request: SentRequest): SentRequest;
  assignments(): string[];
  /** The script with the assignments in front of it, or inline if there is only one use. */
  before(lines: readonly string[]): string[];
}

/** Collects the unique texts of a script. @param schemaOf the schema of an operation's request body */
export function uniqueTexts(
  probes: Pick<ReadonlyMap<string, Probe>, 'get'>,
  schemaOf: (operation: string) => Schema | undefined,
): UniqueTexts {
  const names = new Map<string, { name: string; expression: string }>();
  const nameOf = ({ of, expression }: UniqueText) => {
    const known = names.get(of) ?? { name: `unique${names.size === 0 ? '' : names.size + 1}`, expression };
    names.set(of, known);
    return known.name;
  };
  const assignments = () => [...names.values()].map(({ name, expression }) => `${name}=${expression}`);
  return {
    assignments,
    before(lines) {
      const [only] = names.values();
      const [line = ''] = lines;
      const parts = line.split(`"$${only?.name}"`);
      if (!only || names.size > 1 || lines.length > 1 || parts.length !== 2)
        return [...assignments(), ...lines];
      return [parts.join(`"${only.expression}"`)];
    },
    replaced(request) {
      const probe = probes.get(request.probe);
      const own = [
        ...textsOfHeaders(probe, request),
        ...textsOfBody(probe, request, schemaOf(request.operation)),
      ];
      const written = (text: string) =>
        own.reduce((whole, each) => whole.replaceAll(each.end, variable(nameOf(each))), text);
      const { requestBody, requestHeaders } = request;
      return {
        ...request,
        requestHeaders: requestHeaders.map(([name, value]) =>
          isOwnHeader(probe, name) ? ([name, written(value)] as const) : ([name, value] as const),
        ),
        ...(requestBody === undefined ? {} : { requestBody: written(requestBody) }),
      };
    },
  };
}

/** Whether a header has a value of its own in each request. */
function isOwnHeader(probe: Probe | undefined, name: string): boolean {
  const stated = probe?.headers?.find(([each]) => each.toLowerCase() === name.toLowerCase());
  return stated !== undefined && isLate(stated[1]) && stated[1].late === 'own';
}

/** Those of headers such as Idempotency-Key: to one that it knows, a service may respond as it did before. */
function textsOfHeaders(probe: Probe | undefined, { requestHeaders }: SentRequest): UniqueText[] {
  return requestHeaders.flatMap(([name, value]) =>
    probe && isOwnHeader(probe, name)
      ? [{ of: probe.id, end: value.slice(-OWN_LENGTH), expression: SAME_LENGTH }]
      : [],
  );
}

function textsOfBody(
  probe: Probe | undefined,
  request: SentRequest,
  schema: Schema | undefined,
): UniqueText[] {
  const template = probe?.body;
  if (!template || !('json' in template)) return [];
  const json = parseJson(request.requestBody ?? '');
  const sent = json.ok ? json.value : formFields(request);
  return sent === undefined ? [] : textsIn(template.json, sent, schema);
}

/** The other probe whose unique text this probe sends again, if any. */
export function sharesTextWith(probe: Probe | undefined): string | undefined {
  if (!probe?.body || !('json' in probe.body)) return undefined;
  return latesIn(probe.body.json).find(({ of }) => of !== probe.id)?.of;
}

function latesIn(value: unknown): Extract<Late, { late: 'own' }>[] {
  if (isLate(value)) return value.late === 'own' ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(latesIn) : [];
}

function textsIn(template: unknown, sent: Json | undefined, schema: Schema | undefined): UniqueText[] {
  if (isLate(template)) {
    if (template.late !== 'own') return [];
    if (template.as === 'uuid') return [];
    if (template.as === 'email' && typeof sent === 'string') {
      const end = sent.slice(0, sent.indexOf('@')).slice(-OWN_LENGTH);
      return [{ of: template.of, end, expression: SAME_LENGTH }];
    }
    if (typeof sent === 'string' && sent.length >= OWN_LENGTH) {
      const isBounded = schema?.minLength !== undefined || schema?.maxLength !== undefined;
      const expression = isBounded || sent.length > LONG ? SAME_LENGTH : '$RANDOM$RANDOM';
      return [{ of: template.of, end: sent.slice(-OWN_LENGTH), expression }];
    }
    const isLong = typeof sent === 'number' && String(sent).length >= OWN_LENGTH;
    return isLong ? [{ of: template.of, end: String(sent), expression: '1$RANDOM$RANDOM' }] : [];
  }
  if (typeof template !== 'object' || template === null || typeof sent !== 'object' || sent === null)
    return [];
  const values = sent as { [name: string]: Json };
  return Object.entries(template).flatMap(([name, each]) =>
    textsIn(each, values[name], schema?.properties?.[name] ?? schema?.items),
  );
}
