import type { ErrorObject } from 'ajv/dist/2020.js';
import { brokenRule, type NumberRule } from './number-rule.ts';

/** An error, with one of the errors that are only a part of it, if that says more. */
export interface OuterError {
  error: ErrorObject;
  inner?: ErrorObject;
}

/**
 * The errors of a value without those that are a part of another one: what a single member of `anyOf` or `oneOf` says, what
 * the branch of an `if` says, or why one entry does not fit `contains`. Each of these keywords is one error.
 */
export function withoutInner(errors: readonly ErrorObject[]): OuterError[] {
  const inside = new Set<ErrorObject>();
  const outer = errors.map((error, end): OuterError => {
    const branch = errors.slice(firstOfBranch(errors, end) ?? end, end);
    for (const each of branch) inside.add(each);
    const [inner] = branch;
    return { error, ...(inner && error.keyword === 'if' ? { inner } : {}) };
  });
  return withoutMembers(outer.filter(({ error }) => !inside.has(error)));
}

/** ajv tells the errors of a branch right before that of its `if` or `contains`. */
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

function withoutMembers(errors: readonly OuterError[]): OuterError[] {
  const choices = errors.filter(({ error }) => isChoice(error));
  const isInside = (outer: OuterError, choice: OuterError) => {
    const { error } = outer;
    if (outer === choice || !isAtPlace(error, choice.error)) return false;
    // A member may be a choice itself. In a component its path does not say what refers to the component, but ajv tells the
    // errors of members before that of their choice.
    if (!isChoice(error)) return true;
    return error.schemaPath.startsWith('#/$defs/')
      ? errors.indexOf(outer) < errors.indexOf(choice)
      : error.schemaPath.startsWith(choice.error.schemaPath);
  };
  return errors.flatMap((outer) => {
    if (choices.some((choice) => isInside(outer, choice))) return [];
    if (!isChoice(outer.error)) return [outer];
    const inner = errors.find((each) => isInside(each, outer) && !isOfOtherType(each.error, outer.error));
    return [{ ...outer, ...(inner ? { inner: inner.error } : {}) }];
  });
}

/** Whether a member is for values of another type, which says nothing about what is wrong with this one. */
function isOfOtherType(error: ErrorObject, choice: ErrorObject): boolean {
  if (error.instancePath !== choice.instancePath) return false;
  return (
    error.keyword === 'type' ||
    (error.keyword === 'x-number' && brokenRule(error.schema as NumberRule, error.data) === 'type')
  );
}

/** Whether an error is about the same value as another one, or about something inside it. */
function isAtPlace({ instancePath }: ErrorObject, outer: ErrorObject): boolean {
  return instancePath === outer.instancePath || instancePath.startsWith(`${outer.instancePath}/`);
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf';
}
