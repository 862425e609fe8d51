import type { Schema } from '../../model/contract.ts';
import { type Json, parseJson } from '../../model/json.ts';
import { isLate, type Late, OWN_LENGTH, type Probe } from '../../model/probe.ts';
import { variable } from './command.ts';
import type { Sent } from './sent-request.ts';

/** A text that no other request of any run may send. */
interface OwnText {
  /** The probe that it belongs to: where two bodies share one, they share it in a script, too. */
  of: string;
  /** What it ends with, as it was sent. */
  end: string;
  /** What the shell makes another such end from. */
  expression: string;
}

/** As many characters as the end of such a text. */
const SAME_LENGTH = '$((RANDOM % 9000 + 1000))$((RANDOM % 9000 + 1000))';

/** Names the variables of a script's own texts, and says how each gets its value. */
export interface OwnTexts {
  /** The request with a variable in place of each text that is its own. */
  replaced(request: Sent): Sent;
  assignments(): string[];
  /** The lines of a script that have them, and before them what sets the variables, if one place is not enough. */
  before(lines: readonly string[]): string[];
}

export function ownTexts(
  probes: ReadonlyMap<string, Probe>,
  schemaOf: (operation: string) => Schema | undefined,
): OwnTexts {
  const names = new Map<string, { name: string; expression: string }>();
  const nameOf = ({ of, expression }: OwnText) => {
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
      const template = probes.get(request.probe)?.body;
      const sent = parseJson(request.requestBody ?? '');
      if (!template || !('json' in template) || !sent.ok || request.requestBody === undefined) return request;
      const own = textsIn(template.json, sent.value, schemaOf(request.operation));
      const requestBody = own.reduce(
        (body, text) => body.replaceAll(text.end, variable(nameOf(text))),
        request.requestBody,
      );
      return { ...request, requestBody };
    },
  };
}

/** The probe whose text a body carries, where it is another one's: it is what that one added that matters. */
export function sharesTextWith(probe: Probe | undefined): string | undefined {
  if (!probe?.body || !('json' in probe.body)) return undefined;
  return latesIn(probe.body.json).find(({ of }) => of !== probe.id)?.of;
}

function latesIn(value: unknown): Extract<Late, { late: 'own' }>[] {
  if (isLate(value)) return value.late === 'own' ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(latesIn) : [];
}

function textsIn(template: unknown, sent: Json | undefined, schema: Schema | undefined): OwnText[] {
  if (isLate(template)) {
    if (template.late !== 'own') return [];
    if (typeof sent === 'string' && sent.length >= OWN_LENGTH) {
      const isBounded = schema?.minLength !== undefined || schema?.maxLength !== undefined;
      const expression = isBounded ? SAME_LENGTH : '$RANDOM$RANDOM';
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
