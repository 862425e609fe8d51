import { isSomeInside } from '../../contract/document/unjudged.ts';
import { shapedBodies } from '../../contract/requirements.ts';
import { isObject } from '../../contract/schema.ts';
import type { Contract, Schema } from '../../model/contract.ts';
import { remembering } from '../../model/remembering.ts';
import { isSecretName } from '../../session/secrets/secret-name.ts';
import { isPublic } from './secret-headers.ts';

/**
 * Whether the texts of a member are secrets. `restricted`: they are, and the interface says something of them; `free`: they
 * are, and nothing is judged of them.
 */
export type MemberKind = 'public' | 'restricted' | 'free';

/** Names that are no secrets in a body: a part of an error or of a list, and where the next page begins. */
const USUAL = /^keys?$|page|next|cursor|continuation|sync/i;

/** What a path has is in the URL as well, and has to stay what it is. */
const ID = /(?:^|[_-])id$|Id$/;

/** Characters of names whose kinds are known. */
const REMEMBERED = 100_000;

/** Tells the kind of a member of a body by its name. */
export function memberKinds(contract: Pick<Contract, 'operations'>): (name: string) => MemberKind {
  const { publicFields, hasMaps } = describedIn(contract);
  const inPaths = new Set(
    contract.operations.flatMap(({ parameters }) =>
      parameters.filter((each) => each.in === 'path').map(({ name }) => name),
    ),
  );
  return remembering((name) => {
    if (!isSecretName(name) || USUAL.test(name)) return 'public';
    const isPublicField = publicFields.get(name);
    if (isPublicField === undefined) return hasMaps ? 'restricted' : 'free';
    return isPublicField || ID.test(name) || inPaths.has(name) ? 'public' : 'restricted';
  }, REMEMBERED);
}

/** Whether the fields of bodies are public, by their names, and whether there are objects whose fields may have any name. */
function describedIn({ operations }: Pick<Contract, 'operations'>) {
  const publicFields = new Map<string, boolean>();
  let hasMaps = false;
  const look = ({ properties, patternProperties, additionalProperties }: Schema) => {
    for (const [name, field] of Object.entries(properties ?? {}))
      publicFields.set(name, publicFields.get(name) === true || isPublic(field));
    hasMaps ||= patternProperties !== undefined || isObject(additionalProperties);
    return false;
  };
  const schemas = operations.flatMap(({ body, responses }) => [
    body?.schema,
    ...responses.flatMap(shapedBodies).map(({ schema }) => schema),
  ]);
  // As one schema, so that a component is looked at once.
  isSomeInside({ anyOf: schemas.filter((each) => each !== undefined) }, look);
  return { publicFields, hasMaps };
}
