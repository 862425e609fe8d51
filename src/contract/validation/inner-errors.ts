import type { ErrorObject } from 'ajv/dist/2020.js';
import { brokenRule, type NumberRule } from './number-rule.ts';

/** An error, with one of its parts if that says more. */
export interface OuterError {
  error: ErrorObject;
  inner?: ErrorObject | undefined;
}

/**
 * The errors of a value without those that are part of another: errors of a single member of `anyOf` or `oneOf`, of the branch
 * of an `if`, or of one entry for `contains`. Each of these keywords is one error.
 * @param root the schema for ajv that the value violates
 */
export function withoutInner(errors: readonly ErrorObject[], root: unknown): OuterError[] {
  const inside = new Set<ErrorObject>();
  const outer = errors.map((error, end): OuterError => {
    const branch = errors.slice(firstOfBranch(errors, end) ?? end, end);
    for (const part of branch) inside.add(part);
    const [inner] = branch;
    return { error, inner: error.keyword === 'if' ? inner : undefined };
  });
  return withoutMembers(
    outer.filter(({ error }) => !inside.has(error)),
    root as Root,
  );
}

/** ajv reports the errors of a branch right before that of its `if` or `contains`. */
function firstOfBranch(errors: readonly ErrorObject[], end: number): number | undefined {
  const outer = errors[end];
  if (!outer || (outer.keyword !== 'if' && outer.keyword !== 'contains')) return undefined;
  const branch = outer.keyword === 'if' ? String(outer.params.failingKeyword) : 'contains';
  const node = outer.parentSchema?.[branch] as { $ref?: string } | undefined;
  const paths = [`${outer.schemaPath.replace(/[^/]+$/, branch)}/`];
  if (node?.$ref !== undefined) paths.push(`${node.$ref}/`);
  let first: number | undefined;
  for (let index = end - 1; index >= 0; index -= 1) {
    const error = errors[index];
    if (!error || !isAtPlace(error, outer)) break;
    if (paths.some((path) => error.schemaPath.startsWith(path))) first = index;
  }
  return first;
}

/** A schema for ajv, with its components. */
interface Root {
  $defs: Readonly<Record<string, unknown>>;
}

function withoutMembers(errors: readonly OuterError[], root: Root): OuterError[] {
  // The outermost choices are last: ajv reports the errors of members before that of their choice.
  const choices = errors.filter(({ error }) => isChoice(error)).toReversed();
  const order = new Map(errors.map((error, index) => [error, index]));
  const isInside = (outer: OuterError, choice: OuterError) => {
    if (Number(order.get(outer)) >= Number(order.get(choice))) return false;
    if (!isAtPlace(outer.error, choice.error)) return false;
    // A member may be a choice itself, and a schema may have several choices side by side.
    return !isChoice(outer.error) || schemasIn(choice.error.schema as object, root).has(outer.error.schema);
  };
  return errors.flatMap((outer) => {
    if (choices.some((choice) => isInside(outer, choice))) return [];
    if (!isChoice(outer.error)) return [outer];
    const inner = errors.find(
      (candidate) => isInside(candidate, outer) && !isOfOtherType(candidate.error, outer.error),
    );
    return [{ ...outer, inner: inner?.error ?? outer.inner }];
  });
}

const insideOf = new WeakMap<object, ReadonlySet<unknown>>();

/** The schemas inside a choice, and their lists of members, also in components. */
function schemasIn(members: object, { $defs }: Root): ReadonlySet<unknown> {
  const cached = insideOf.get(members);
  if (cached) return cached;
  const schemas = new Set<unknown>();
  const next: unknown[] = Object.values(members);
  while (next.length > 0) {
    const current = next.pop();
    if (typeof current !== 'object' || current === null || schemas.has(current)) continue;
    schemas.add(current);
    next.push(...Object.values(current));
    const { $ref } = current as { $ref?: unknown };
    if (typeof $ref === 'string') next.push($defs[$ref.slice('#/$defs/'.length)]);
  }
  insideOf.set(members, schemas);
  return schemas;
}

/** Whether a member is for values of another type, so that its error says nothing about this value. */
function isOfOtherType(error: ErrorObject, choice: ErrorObject): boolean {
  if (error.instancePath !== choice.instancePath) return false;
  return (
    error.keyword === 'type' ||
    (error.keyword === 'x-number' && brokenRule(error.schema as NumberRule, error.data) === 'type')
  );
}

/** Whether an error is about the value of another error, or about something inside it. */
function isAtPlace({ instancePath }: ErrorObject, outer: ErrorObject): boolean {
  return instancePath === outer.instancePath || instancePath.startsWith(`${outer.instancePath}/`);
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf';
}
