import { ruleIdOf } from '../contract/schema.ts';
import type { Operation, RequestBody, Schema } from '../model/contract.ts';
import type { Late, Probe } from '../model/probe.ts';
import { documented, probe, success } from './probe.ts';
import { atBound, extreme, fullBody, INT64, minimalBody, wrongValues } from './values.ts';

/** Valid bodies: the required fields alone, all fields in as many varieties as the largest enumeration has members. */
export function validBodies(operation: Operation, body: RequestBody): Probe[] {
  const { schema } = body;
  const minimal = minimalBody(schema);
  const accepted = (id: string, title: string, json: unknown) =>
    probe(operation, id, 'create', {
      title,
      acceptable: success(operation),
      body: { json: owned(json, schema, `${operation.id}:${id}`) },
    });
  const probes = [accepted('minimal', 'the required fields alone', minimal)];
  if (operation.address === 'apiUrl') return probes;
  const varieties = Math.max(
    1,
    ...Object.values(schema.properties ?? {}).map((field) => field.enum?.length ?? 0),
  );
  for (let variety = 0; variety < varieties; variety += 1) {
    probes.push(
      accepted(`full-${variety + 1}`, `all fields, variety ${variety + 1}`, fullBody(schema, variety)),
    );
  }
  for (const bound of ['least', 'greatest'] as const) {
    const fields = changed(schema, (field) => atBound(field, bound));
    if (fields)
      probes.push(accepted(`bounds-${bound}`, `fields at their ${bound} bounds`, { ...minimal, ...fields }));
  }
  return [...probes, ...extremeBodies(operation, schema, minimal)];
}

/** Bodies that no sentence forbids, yet may be refused with a documented 400: what becomes of them is observed. */
function extremeBodies(operation: Operation, schema: Schema, minimal: Record<string, unknown>): Probe[] {
  const refused = documented(operation, '400');
  const lenient = (id: string, title: string, json: unknown) =>
    probe(operation, id, 'create', {
      title,
      acceptable: [...success(operation), ...refused],
      body: { json: owned(json, schema, `${operation.id}:${id}`) },
    });
  const kinds = [...Object.keys(INT64), 'long'].flatMap((kind) => {
    const fields = changed(schema, (field) => extreme(field, kind));
    const title = kind === 'long' ? 'texts of 1,000 characters' : `int64 ${kind}`;
    const id = kind.replaceAll(/[ ^]+/g, '-');
    return fields ? [lenient(id, title, { ...minimal, ...fields })] : [];
  });
  return [
    ...kinds,
    // The texts of the minimal body once more: the one request that shows what becomes of a name that is taken.
    lenient('unknown-field', 'a field that the schema does not list', {
      ...(owned(minimal, schema, `${operation.id}:minimal`) as Record<string, unknown>),
      petspecUnknown: 1,
    }),
  ];
}

/** The body of the plainest valid request, with the texts of another probe. */
export function minimalBodyOf(probe: string, { schema }: RequestBody): { json: unknown } {
  return { json: owned(minimalBody(schema), schema, probe) };
}

/**
 * A body whose texts no other request sends, whatever run it is of: a service may want names to be unique, and nothing
 * that was created can be deleted. Also what a lax parser would turn into such a text.
 */
function owned(value: unknown, schema: Schema | undefined, of: string): unknown {
  if (Array.isArray(value)) return value.map((each) => owned(each, schema?.items ?? schema, of));
  if (schema?.type === 'string' && !schema.enum) {
    if (typeof value === 'string') return { late: 'own', as: 'text', like: value, of } satisfies Late;
    if (typeof value === 'number') return { late: 'own', as: 'number', of } satisfies Late;
  }
  const fields = schema?.properties;
  if (!fields || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, owned(each, fields[name], of)]),
  );
}

/** The fields that `change` gives a value; undefined where there are none. */
function changed(schema: Schema, change: (field: Schema) => unknown): Record<string, unknown> | undefined {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const value = change(field);
    return value === undefined ? [] : [[name, value] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** Invalid bodies, each wrong in exactly one way, and whole bodies that are no object. */
export function invalidBodies(operation: Operation, body: RequestBody): Probe[] {
  const { schema } = body;
  const full = fullBody(schema);
  const owner = schema['x-component'] ?? `${operation.id}.body`;
  const refused = documented(operation, '400');
  const invalid = (
    id: string,
    title: string,
    rule: string,
    payload: NonNullable<Probe['body']>,
    open = false,
  ) =>
    probe(operation, id, 'invalid', {
      title,
      validity: open || refused.length === 0 ? 'open' : 'invalid',
      acceptable: open ? [] : refused,
      rule,
      body: 'json' in payload ? { json: owned(payload.json, schema, `${operation.id}:${id}`) } : payload,
    });
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field], index) => {
    const rule = `${owner}.${name}`;
    const { [name]: _removed, ...without } = full;
    const missing = schema.required?.includes(name)
      ? [invalid(`${name}-missing`, `${name} missing`, rule, { json: without })]
      : [];
    const wrong = wrongValues(name, field, index).map(({ id, title, value, facet, keyword = facet }) =>
      invalid(
        `${name}-${id}`,
        `${name} is ${title}`,
        ruleIdOf(rule, field, keyword),
        { json: { ...full, [name]: value } },
        field['x-unspecified']?.includes(facet),
      ),
    );
    // Where the interface does not say what a wrong value gets, one of them is enough to see.
    const open = wrong.filter(({ validity }) => validity === 'open');
    return [...missing, ...wrong.filter(({ validity }) => validity === 'invalid'), ...open.slice(0, 1)];
  });
  const whole: [kind: string, title: string, payload: { json: unknown } | { text: string }][] = [
    ['malformed', 'malformed JSON', { text: '{"' }],
    ['empty', 'an empty body', { text: '' }],
    ['array', 'an array instead of an object', { json: [full] }],
    ['null', 'null instead of an object', { json: null }],
  ];
  const bodies = whole
    .filter(([kind]) => !body.unspecified.includes(kind))
    .map(([kind, title, payload]) => invalid(kind, title, `${operation.id}.body`, payload));
  return [...fields, ...bodies];
}
