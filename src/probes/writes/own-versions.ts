import { type Resource, successSchema } from '../../contract/resources.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { pointerOf } from '../../model/json.ts';
import type { Sources } from '../../model/probe.ts';
import { typeOf } from './references.ts';

/** Names of fields by which a service tells whether somebody else changed a thing meanwhile. */
const VERSION = /^_?(?:(?:row|lock|record|entity|object|resource)[_-]?)?(?:version|revision|rev|etag)$/i;

/**
 * A resource whose changes state the version that its reads show: a service may refuse any other one with 409.
 * @param reads the probes that read the thing before and after its changes, the last one first
 */
export function withOwnVersions(resource: Resource, reads: readonly string[]): Resource {
  const { read, replace } = resource;
  const shown = (read && successSchema(read)?.properties) ?? {};
  return { ...resource, replace: replace.map((each) => withVersion(each, shown, reads)) };
}

function withVersion(
  operation: Operation,
  shown: Readonly<Record<string, Schema>>,
  reads: readonly string[],
): Operation {
  const { body } = operation;
  if (!body?.schema.properties || body.isStated) return operation;
  const fields = Object.entries(body.schema.properties).map(([name, field]) => {
    const other = Object.hasOwn(shown, name) ? shown[name] : undefined;
    const as = VERSION.test(name) ? typeOf(field) : undefined;
    if (!as || !other || typeOf(other) !== as) return [name, field] as const;
    const sources: Sources = reads.map((probe) => ({ probe, pointer: pointerOf([name]) }));
    return [name, { ...field, 'x-current': sources }] as const;
  });
  return {
    ...operation,
    body: { ...body, schema: { ...body.schema, properties: Object.fromEntries(fields) } },
  };
}
