import type { Operation, Requirement, Schema } from '../../model/contract.ts';
import type { NextPage } from '../../model/probe.ts';
import { successResponse } from '../resources.ts';
import { FIRST_SET } from '../sets.ts';
import { CURSOR, type ListParameter, listIn, PAGE, pageSizeOf } from './lists.ts';

/** A list whose responses name the next page. */
export interface FollowedPages extends Pick<ListParameter, 'property' | 'size'> {
  requirement: string;
  by: NextPage['by'];
  /** The parameter that takes a cursor, `next` for addresses in the body, or `Link`. */
  name: string;
}

/** The depth at which a response may name the next page: `paging.cursors.after`. */
export const MAX_DEPTH = 2;

/** Names of fields for the next page, without marks between their words. */
const PROMISING = /^next(?:cursor|token|page|pagetoken|pagecursor|marker|link|url|href)?$/;
const OTHERS = /^(?:cursor|endcursor|continue|continuation|continuationtoken|pagetoken|marker|after)$/;

/** Whether a field names the next page: `promise` if it also shows that there is one, else `place`. */
export function nextIn(name: string): 'promise' | 'place' | undefined {
  const bare = name
    .replace(/^@?odata\./i, '')
    .replaceAll(/[_-]/g, '')
    .toLowerCase();
  return PROMISING.test(bare) ? 'promise' : OTHERS.test(bare) ? 'place' : undefined;
}

/** Parameters that take another cursor than that of the next page. */
const BACKWARDS = /before|^starting_?after$/i;

/**
 * The ways to follow the pages of a list: by a cursor that a parameter takes, by an address in the body, and by the header
 * `Link` (RFC 8288), each if the document has it.
 */
export function followedPages(operation: Operation): FollowedPages[] {
  const response = successResponse(operation);
  const list = operation.method === 'GET' ? listIn(response?.schema) : undefined;
  if (!list || !response) return [];
  const { parameters } = operation;
  const inQuery = parameters.filter(
    (parameter) => parameter.in === 'query' && !parameter.isJson && !parameter.required,
  );
  const cursor = inQuery.find(
    ({ name, schema }) => CURSOR.test(name) && !BACKWARDS.test(name) && schema.type !== 'array',
  );
  const shared = { property: list.property, size: pageSizeOf(operation) };
  const pages: FollowedPages[] = [];
  const add = (by: FollowedPages['by'], name: string) =>
    pages.push({ ...shared, by, name, requirement: `${operation.id}.${name}.pages` });
  const isNamed = hasNext(response.schema, 0);
  const page = inQuery.find(({ name }) => PAGE.test(name));
  if (cursor && isNamed) add({ place: 'body', parameter: cursor.name }, cursor.name);
  else if (isNamed) add({ place: 'body', parameter: page?.name }, 'next');
  if (response.headers.some(({ name }) => name.toLowerCase() === 'link')) add({ place: 'link' }, 'Link');
  return pages;
}

function hasNext({ properties = {} }: Schema = {}, depth: number): boolean {
  return Object.entries(properties).some(
    ([name, field]) =>
      (nextIn(name) !== undefined && field.type !== 'array' && field.type !== 'boolean') ||
      (depth < MAX_DEPTH && hasNext(field, depth + 1)),
  );
}

/** Documents only say it in words, so it is good practice unless requirements.yaml says more. */
export function followedRequirements(operations: readonly Operation[]): Requirement[] {
  return operations.flatMap((operation) =>
    followedPages(operation).map(({ requirement, name }) => ({
      id: requirement,
      level: 'should',
      section: operation.section,
      operation: operation.id,
      statement: `Whoever follows the pages by \`${name}\` gets each entry once, and comes to an end.`,
      source: 'openapi',
      since: FIRST_SET,
    })),
  );
}
