import type { Contract, Operation } from '../../model/contract.ts';
import { expecting } from '../../model/http/expectation.ts';
import { rawNumber } from '../../model/json.ts';
import type { Probe } from '../../model/probe.ts';
import { withWrongField } from '../bodies.ts';
import { pathParameters, probe, success } from '../probe.ts';
import { type Case, caseAt } from './cases.ts';
import { entryLinks, entryRead, longestList } from './further-reads.ts';

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
    case 'valid': {
      const query = Object.entries(drawn.values);
      return probe(operation, id, 'surplus', {
        title: query.map((pair) => pair.join('=')).join(' and ') || 'without parameters, again',
        expectation: expecting(success(operation)),
        query: drawn.isReversed ? query.reverse() : query,
      });
    }
    case 'query':
      return probe(operation, id, 'surplus', {
        title: `a generated ${drawn.name}`,
        validity: 'open',
        query: [[drawn.name, drawn.value]],
      });
    case 'path':
      return probe(operation, id, 'surplus', {
        title: 'a generated id',
        validity: 'open',
        path: pathWith(drawn, operation),
      });
    case 'entry':
      return entryProbe(contract, planned, id, drawn.place);
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
  const [parameter] = pathParameters(operation);
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
