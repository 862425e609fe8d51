import type { Contract, Operation } from '../../model/contract.ts';
import { rawNumber } from '../../model/json.ts';
import type { Probe } from '../../model/probe.ts';
import { withWrongField } from '../bodies.ts';
import { pathParameters, probe, withValues } from '../probe.ts';
import { type Case, caseAt } from './cases.ts';
import { entryLinks, entryRead, longestList, validity } from './further-reads.ts';
import { type RightRequest, rightRequests } from './right-request.ts';

const ID = /^[^:]+:generated-(\d+(?:\.\d+)*)$/;

/** The path of a generated probe, from its id; undefined if the id is not of a generated probe. */
export function pathOf(id: string): number[] | undefined {
  return ID.exec(id)?.[1]?.split('.').map(Number);
}

/**
 * The probe of a drawn case, without controls. Its id contains the path, by which it is drawn again. Undefined if there is no case.
 * @param planned the plan, whose longest list shows the ids of entries
 */
export function generatedProbe(
  contract: Contract,
  planned: readonly Probe[],
  seed: number,
  path: readonly number[],
): Probe | undefined {
  const drawn = caseAt(contract, seed, path);
  const operation = contract.operations.find(({ id }) => id === drawn?.operation);
  if (!drawn || !operation) return undefined;
  const id = `generated-${path.join('.')}`;
  switch (drawn.kind) {
    case 'body': {
      if (!operation.body) return undefined;
      const wrong = {
        id,
        title: 'a generated wrong value',
        value: exact(drawn.value),
        facet: 'type' as const,
      };
      return {
        ...withWrongField(operation, operation.body.schema, drawn.field, wrong),
        id: `${operation.id}:${id}`,
      };
    }
    case 'entry':
      return entryProbe(contract, planned, id, drawn.place);
    default: {
      const right = rightRequests(planned)(operation.id);
      return right && readProbe(drawn, operation, right, id);
    }
  }
}

/** A read that differs from the right one in what was drawn. */
function readProbe(
  drawn: Extract<Case, { kind: 'valid' | 'query' | 'path' }>,
  operation: Operation,
  right: RightRequest,
  id: string,
): Probe {
  switch (drawn.kind) {
    case 'valid': {
      const query = Object.entries(drawn.values);
      const others = right.query.filter(([name]) => drawn.values[name] === undefined);
      return probe(operation, id, 'surplus', {
        title: query.map((pair) => pair.join('=')).join(' and ') || 'without parameters, again',
        ...validity(operation),
        ...right,
        query: [...others, ...(drawn.isReversed ? query.reverse() : query)],
      });
    }
    case 'query':
      return probe(operation, id, 'surplus', {
        title: `a generated ${drawn.name}`,
        validity: 'open',
        ...right,
        query: withValues(right.query, drawn.name, [[drawn.name, drawn.value]]),
      });
    case 'path':
      return probe(operation, id, 'surplus', {
        title: 'a generated id',
        validity: 'open',
        ...right,
        path: { ...right.path, ...pathWith(drawn, operation) },
      });
  }
}

/** A read by id of an entry of the longest list; undefined if the plan has no such list. */
function entryProbe(
  contract: Contract,
  planned: readonly Probe[],
  id: string,
  place: number,
): Probe | undefined {
  const [link] = entryLinks(contract);
  const list = link && longestList(planned, link);
  if (!link || !list) return undefined;
  return entryRead(link, list, place, id);
}

function pathWith({ value }: Extract<Case, { kind: 'path' }>, operation: Operation): Record<string, string> {
  const parameter = pathParameters(operation).at(-1);
  return parameter ? { [parameter.name]: value } : {};
}

/** A value whose numbers are sent as drawn. Otherwise, a number in place of a text would be made unique. */
function exact(value: unknown): unknown {
  if (typeof value === 'bigint') return rawNumber(String(value));
  // JSON has neither NaN nor infinities.
  if (typeof value === 'number') return Number.isFinite(value) ? rawNumber(JSON.stringify(value)) : null;
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, exact(field)]));
}
