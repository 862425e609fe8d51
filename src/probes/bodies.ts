import { ruleIdOf } from '../contract/schema.ts';
import type { Operation, RequestBody, Schema } from '../model/contract.ts';
import { expecting, OPEN } from '../model/http/expectation.ts';
import type { Late, Probe } from '../model/probe.ts';
import { atBound, fullBody, minimalBody } from '../requests/plain-values.ts';
import { documented, probe, success } from './probe.ts';
import {
  EXTREMES,
  type Extreme,
  FURTHER_EXTREMES,
  MINIMUM,
  strictKinds,
  type Wrong,
  wrongValues,
} from './values.ts';

const MAX_VARIETIES = 16;

/** A body that is not a JSON object. */
export interface NoObject {
  /** Part of the probe's id, so it never changes. */
  kind: 'malformed' | 'empty' | 'array' | 'null';
  title: string;
  /** @param right a right body */
  payload: (right: unknown) => NonNullable<Probe['body']>;
}

export const NO_OBJECTS: readonly NoObject[] = [
  { kind: 'malformed', title: 'malformed JSON', payload: () => ({ text: '{"' }) },
  { kind: 'empty', title: 'an empty body', payload: () => ({ text: '' }) },
  { kind: 'array', title: 'an array instead of an object', payload: (right) => ({ json: [right] }) },
  { kind: 'null', title: 'null instead of an object', payload: () => ({ json: null }) },
];

/**
 * Valid bodies: one with only the required fields, and as many with all fields as the largest enumeration has members (16 at
 * most). The message address gets only the first, because messages cannot be deleted.
 */
export function validBodies(operation: Operation, body: RequestBody, seed: number | 'none'): Probe[] {
  const { schema } = body;
  const minimal = minimalBody(schema);
  const accepted = (id: string, title: string, json: unknown) =>
    probe(operation, id, 'create', {
      title,
      expectation: expecting(success(operation)),
      body: { json: unique(json, schema, `${operation.id}:${id}`) },
      isReadBack: true,
    });
  const probes = [accepted('minimal', 'only the required fields', minimal)];
  if (operation.address === 'apiUrl') return probes;
  const members = Object.values(schema.properties ?? {}).map((field) => field.enum?.length ?? 0);
  const varieties = members.reduce((most, count) => Math.max(most, Math.min(count, MAX_VARIETIES)), 1);
  for (let variety = 0; variety < varieties; variety += 1) {
    probes.push(
      accepted(`full-${variety + 1}`, `all fields, variety ${variety + 1}`, fullBody(schema, variety)),
    );
  }
  for (const bound of ['least', 'greatest'] as const) {
    const fields = changedFields(schema, (field) => atBound(field, bound));
    if (fields)
      probes.push(accepted(`bounds-${bound}`, `fields at their ${bound} bounds`, { ...minimal, ...fields }));
  }
  return [
    ...probes,
    ...EXTREMES.flatMap((extreme) => extremeBody(operation, schema, extreme)),
    ...rotatedBody(operation, schema, seed),
  ];
}

/** A body that the interface allows and a service may refuse with a documented 400. */
function extremeBody(operation: Operation, schema: Schema, { id, title, valueFor, isReadBack }: Extreme) {
  const fields = changedFields(schema, valueFor);
  if (!fields) return [];
  const json = unique({ ...minimalBody(schema), ...fields }, schema, `${operation.id}:${id}`);
  return [{ ...lenientBody(operation, id, title, json), ...isReadBack }];
}

/** A body with an extreme number as a reference, which careless code takes for an absent value or another number. */
export function referenceBody(operation: Operation, { schema }: RequestBody, extreme: Extreme): Probe[] {
  return extremeBody(operation, schema, extreme).map((probe) => ({ ...probe, expectation: OPEN }));
}

/** One more body, chosen by the seed: with an extreme value, or a plain one sent in a form that a service may refuse. */
function rotatedBody(operation: Operation, schema: Schema, seed: number | 'none'): Probe[] {
  const turn = (seed === 'none' ? undefined : FURTHER_EXTREMES[seed % FURTHER_EXTREMES.length]) ?? MINIMUM;
  // The interface does not say which references exist, nor how a service refuses the others.
  if ('valueFor' in turn)
    return extremeBody(operation, schema, turn).map((probe) => ({ ...probe, expectation: OPEN }));
  if (!changedFields(schema, MINIMUM.valueFor)) return [];
  const json = unique(minimalBody(schema), schema, `${operation.id}:spare`);
  return [{ ...lenientBody(operation, 'spare', 'only the required fields again', json), form: turn.form }];
}

/** A valid request whose body the service may accept, or refuse with a documented 400. */
export function lenientBody(operation: Operation, id: string, title: string, json: unknown): Probe {
  const expectation = expecting(success(operation), documented(operation, '400'));
  return probe(operation, id, 'create', { title, expectation, body: { json } });
}

/** A body with only the required fields. @param probe the id of the probe that sends it */
export function minimalBodyOf(probe: string, { schema }: RequestBody): { json: unknown } {
  return { json: unique(minimalBody(schema), schema, probe) };
}

/** A body with every field: if a service adds it despite refusing the request, a list with a filter shows it. */
export function fullBodyOf(probe: string, { schema }: RequestBody): { json: unknown } {
  return { json: unique(fullBody(schema), schema, probe) };
}

/**
 * Makes the texts of a body differ from those of any other request and run: a service may require unique names, and created
 * records cannot be deleted. Numbers in place of texts are made unique too, as a lax parser may turn them into texts.
 * @param probeId the probe that sends it
 */
function unique(value: unknown, schema: Schema | undefined, probeId: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => unique(entry, schema?.items ?? schema, probeId));
  if (schema?.type === 'string' && !schema.enum) {
    if (typeof value === 'string')
      return { late: 'own', as: 'text', like: value, of: probeId } satisfies Late;
    if (typeof value === 'number') return { late: 'own', as: 'number', of: probeId } satisfies Late;
  }
  const fields = schema?.properties;
  if (!fields || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, unique(field, fields[name], probeId)]),
  );
}

/** The fields for which `change` returns a value; undefined if there are none. */
function changedFields(
  schema: Schema,
  change: (field: Schema) => unknown,
): Record<string, unknown> | undefined {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const value = change(field);
    return value === undefined ? [] : [[name, value] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** Bodies that are each wrong in exactly one way: in one field, or because the body is not an object. */
export function invalidBodies(operation: Operation, body: RequestBody): Probe[] {
  const names = Object.keys(body.schema.properties ?? {});
  return [
    ...names.flatMap((name, index) => invalidFields(operation, body.schema, name, index)),
    ...NO_OBJECTS.filter(({ kind }) => !body.unspecified.includes(kind)).map(({ kind, title, payload }) =>
      invalidBody(operation, kind, title, {
        rule: `${operation.id}.body`,
        body: payload(unique(fullBody(body.schema), body.schema, `${operation.id}:${kind}`)),
      }),
    ),
  ];
}

/** Full bodies without one field, and with each wrong value of it. */
function invalidFields(operation: Operation, schema: Schema, name: string, index: number): Probe[] {
  const field = schema.properties?.[name] ?? {};
  const rule = `${schema['x-component'] ?? `${operation.id}.body`}.${name}`;
  const { [name]: _removed, ...without } = fullBody(schema);
  const missing = schema.required?.includes(name)
    ? [
        invalidBody(operation, `${name}-missing`, `${name} missing`, {
          rule,
          body: { json: unique(without, schema, `${operation.id}:${name}-missing`) },
        }),
      ]
    : [];
  const wrong = wrongValues(name, field, strictKinds(index)).map((wrong) =>
    withWrongField(operation, schema, name, wrong),
  );
  // What the interface leaves open is only observed, and one value is enough for that.
  const open = wrong.filter(({ validity }) => validity === 'open');
  return [...missing, ...wrong.filter(({ validity }) => validity === 'invalid'), ...open.slice(0, 1)];
}

/** A full body with a wrong value of one field. Its validity is open if the interface does not specify such values. */
export function withWrongField(
  operation: Operation,
  schema: Schema,
  name: string,
  { id, title, value, facet, keyword = facet }: Wrong,
): Probe {
  const field = schema.properties?.[name] ?? {};
  const rule = `${schema['x-component'] ?? `${operation.id}.body`}.${name}`;
  const json = unique({ ...fullBody(schema), [name]: value }, schema, `${operation.id}:${name}-${id}`);
  return invalidBody(operation, `${name}-${id}`, `${name} is ${title}`, {
    rule: ruleIdOf(rule, field, keyword),
    body: { json },
    ...(field['x-unspecified']?.includes(facet) ? { validity: 'open', expectation: OPEN } : {}),
  });
}

/** A request that has to get the documented 400. If the operation documents none, its validity is open. */
export function invalidBody(
  operation: Operation,
  id: string,
  title: string,
  fields: Pick<Probe, 'body' | 'rule'> & Partial<Probe>,
): Probe {
  const refused = documented(operation, '400');
  const validity = refused.length === 0 ? 'open' : 'invalid';
  return probe(operation, id, 'invalid', { title, validity, expectation: expecting([], refused), ...fields });
}
