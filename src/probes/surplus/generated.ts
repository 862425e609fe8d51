import type { Contract } from '../../model/contract.ts';
import { expecting } from '../../model/http/expectation.ts';
import { rawNumber } from '../../model/json.ts';
import type { Probe } from '../../model/probe.ts';
import { withWrongField } from '../bodies.ts';
import { probe, success } from '../probe.ts';
import { type Case, caseAt } from './cases.ts';
import { entryLinks, entryRead, longestList } from './further-reads.ts';

const ID = /^[^:]+:generated-(\d+(?:\.\d+)*)$/;

/** The path of a generated probe by its id; undefined if it is no such id. */
export function pathOf(id: string): number[] | undefined {
  return ID.exec(id)?.[1]?.split('.').map(Number);
}

/**
 * The probe of a drawn case, without controls; its id says how to draw it again. Undefined if nothing can be drawn.
 * @param planned what the run sends in any case: entries of its longest list are read by their ids
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
        path: pathWith(drawn, operation.parameters),
      });
    case 'entry':
      return entryProbe(contract, planned, id, drawn.place);
  }
}

/** Reads an entry of the longest list by its id; undefined if the run has no such list. */
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

function pathWith(
  { value }: Extract<Case, { kind: 'path' }>,
  parameters: readonly { in: string; name: string }[],
): Record<string, string> {
  const parameter = parameters.find((each) => each.in === 'path');
  return parameter ? { [parameter.name]: value } : {};
}

/** A value whose numbers are sent as they were drawn: a number in the place of a text would be replaced by another. */
function exact(value: unknown): unknown {
  if (typeof value === 'bigint') return rawNumber(String(value));
  // JSON has neither NaN nor infinities.
  if (typeof value === 'number') return Number.isFinite(value) ? rawNumber(JSON.stringify(value)) : null;
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, exact(each)]));
}
