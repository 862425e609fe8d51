import type { Contract, Operation } from '../../src/model/contract.ts';
import { isLate, type Probe, sourcesOf } from '../../src/model/probe.ts';

/**
 * What is missing in requests: an id, words, or a part of their addresses; or what they name and nothing is called.
 * @param others what is sent as well, and what requests may name
 */
export function missingIn(
  probes: readonly Probe[],
  { operations, requirements }: Contract,
  others = probes,
): string[] {
  const byId = new Map(operations.map((each) => [each.id, each]));
  const ids = new Set([...others, ...requirements].map(({ id }) => id));
  const twice = probes.map(({ id }) => id).filter((id, index, all) => all.indexOf(id) !== index);
  return [
    ...twice.map((id) => `${id} is there twice`),
    ...probes.flatMap((each) =>
      missingOf(each, byId.get(each.operation), ids).map((one) => `${each.id}: ${one}`),
    ),
  ];
}

function missingOf(probe: Probe, operation: Operation | undefined, ids: ReadonlySet<string>): string[] {
  const { id, title, rule, controls, path, query, headers = [], cookies = [], cleansUp, onlyIf } = probe;
  const name = id.slice(probe.operation.length);
  const named = [
    rule ?? [],
    ...controls,
    ...sourcesOf(probe),
    onlyIf?.succeeded ?? [],
    cleansUp ?? [],
  ].flat();
  const pairs = [...query, ...headers, ...cookies];
  const inPath = [...(operation?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, one]) => one);
  const late = Object.values(path).filter(isLate);
  return [
    ...(id.startsWith(probe.operation) && /^:(?:.*[^-=:.\s])$/.test(name) ? [] : ['its id']),
    ...(/^\S(?:.*\S)?$/.test(title) && !/ {2}|undefined /.test(title) ? [] : [`its title, "${title}"`]),
    ...named.filter((one) => !ids.has(one)).map((one) => `${one}, which it names`),
    ...pairs.flatMap(([one]) => (one === '' ? ['the name of a parameter'] : [])),
    ...(Object.keys(path).sort().join() === inPath.sort().join() ? [] : [`path ${Object.keys(path)}`]),
    ...late.flatMap((one) => (one.late === 'response' && one.sources.length === 0 ? ['a source'] : [])),
    ...late.flatMap((one) =>
      one.late === 'response' && !one.sources.every(({ pointer }) => /^\/.*\w$/.test(pointer))
        ? ['a place']
        : [],
    ),
  ];
}
