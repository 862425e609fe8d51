import type { Contract, Operation, Requirement } from '../model/contract.ts';
import { groupedBy } from '../model/large/lookups.ts';
import { type Resource, reachableWithKey, resourcesOf } from './resources.ts';
import { FIRST_SET } from './sets.ts';

const SECTION = 'Every operation';

/**
 * The requirements of every service, whatever its document says.
 * @param isLimited whether requirements.yaml states rate plans
 */
export function generalRequirements(operations: readonly Operation[], isLimited: boolean): Requirement[] {
  const has = (wanted: string) =>
    operations.some(({ responses }) => responses.some(({ status }) => status === wanted));
  // A limit is used up with reads that need no id.
  const areRefused = (isLimited || has('429')) && operations.some(isPlainRead);
  const resources = resourcesOf({ operations });
  const isWritable = resources.length > 0;
  const written = new Set(
    resources.flatMap(({ create, replace, parts, remove }) => [create, ...replace, ...parts, remove]),
  );
  const isSecured = operations.some(
    (operation) => operation.secured && (operation.method === 'GET' || written.has(operation)),
  );
  return GENERAL.filter(
    ({ id }) =>
      (isSecured || !id.startsWith('authentication.')) &&
      (areRefused || !id.startsWith('rate-limit.')) &&
      (isWritable || id !== 'open.left-over'),
  ).map((requirement) => ({
    ...requirement,
    section: SECTION,
    source: 'listed',
    since: FIRST_SET,
  }));
}

function isPlainRead({ method, address, parameters }: Operation): boolean {
  return (
    method === 'GET' && address === 'baseUrl' && !parameters.some((parameter) => parameter.in === 'path')
  );
}

const GENERAL: readonly Pick<Requirement, 'id' | 'level' | 'statement'>[] = [
  {
    id: 'service.http',
    level: 'must',
    statement: 'The service speaks HTTP; every request gets one complete response.',
  },
  {
    id: 'service.content-type',
    level: 'must',
    statement: 'Response bodies are declared as a documented media type.',
  },
  {
    id: 'service.json',
    level: 'must',
    statement:
      'Each JSON body is one JSON value in UTF-8, without contradictory duplicate names in an object.',
  },
  { id: 'rate-limit.enforced', level: 'must', statement: 'A request over the stated limit gets 429.' },
  {
    id: 'rate-limit.recovery',
    level: 'should',
    statement: 'After the time in Retry-After, requests are let through again.',
  },
  { id: 'authentication.key', level: 'must', statement: 'An invalid key is rejected.' },
  {
    id: 'open.refusals',
    level: 'open',
    statement: 'When a valid request is refused with a 4xx is not shown.',
  },
  {
    id: 'open.left-over',
    level: 'open',
    statement: 'Whether everything that a client creates can be removed again is not shown.',
  },
];

/** The requirements that follow from what clients can create. */
export type Semantic = 'id' | 'created' | 'replaced' | 'removed';

/** The id of such a requirement; undefined if no operation can show it. */
export function semanticId(
  { create, read, replace, remove }: Resource,
  semantic: Semantic,
): string | undefined {
  if (semantic === 'id') return `${create.id}.id`;
  if (!read || (semantic === 'replaced' && replace.length === 0) || (semantic === 'removed' && !remove))
    return undefined;
  return `${read.id}.${semantic}`;
}

const SEMANTICS: readonly { semantic: Semantic; statement: (thing: string) => string }[] = [
  { semantic: 'id', statement: (thing) => `Each creation of ${thing} gets an id of its own.` },
  { semantic: 'created', statement: (thing) => `What was created at ${thing} can be read.` },
  { semantic: 'replaced', statement: (thing) => `What was replaced or changed at ${thing} is what is read.` },
  { semantic: 'removed', statement: (thing) => `What was removed from ${thing} is gone.` },
];

/** The id of the requirement that this operation with another key does not reach what a key created. */
export function otherKeyId({ id }: Pick<Operation, 'id'>): string {
  return `${id}.other-key`;
}

function otherKeyStatement({ method }: Operation): string {
  if (method === 'GET') return 'What was created with one key is not shown to another one.';
  return `What was created with one key is not ${method === 'DELETE' ? 'removed' : 'changed'} with another one.`;
}

/** Good practice, unless requirements.yaml says more. */
export function semanticRequirements(contract: Pick<Contract, 'operations'>): Requirement[] {
  const requirements = resourcesOf(contract).flatMap((resource) => [
    ...SEMANTICS.flatMap(({ semantic, statement }) => {
      const id = semanticId(resource, semantic);
      const operation = semantic === 'id' ? resource.create : resource.read;
      return id === undefined || !operation ? [] : [advice(id, operation, statement(resource.create.path))];
    }),
    ...reachableWithKey(resource).map((operation) =>
      advice(otherKeyId(operation), operation, otherKeyStatement(operation)),
    ),
  ]);
  // Two operations may create the same things.
  return [...groupedBy(requirements, ({ id }) => id).values()].flatMap(([first]) => first ?? []);
}

function advice(id: string, { id: operation, section }: Operation, statement: string): Requirement {
  return { id, level: 'should', section, operation, statement, source: 'openapi', since: FIRST_SET };
}
