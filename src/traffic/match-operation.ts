import type { Address, Contract, Operation } from '../model/contract.ts';
import { percentDecoded } from '../model/http/percent-encoding.ts';
import { pathTree } from '../model/large/lookups.ts';
import { rememberingEach } from '../model/remembering.ts';

/** The base URL of each address of a service, without a trailing slash. */
export type Servers = Readonly<Record<Address, string>>;

/** The operation that a request is for, and the values of its path parameters. */
export interface Match {
  operation: Operation;
  path: Readonly<Record<string, string>>;
  /** Whether the request has the method and the path of the operation, but not at its address. */
  isMisplaced: boolean;
}

/**
 * Finds the operation of a request. A request for `/pets` instead of `/v1/pets` is for the same operation, but misplaced.
 * Undefined if no operation fits.
 */
export function matchOperation(
  { operations, basePath = '' }: Pick<Contract, 'operations' | 'basePath'>,
  servers: Servers,
  method: string,
  url: URL,
): Match | undefined {
  const fitting = fittingIn(operations);
  const placed = Object.entries(servers).flatMap(([address, base]) => {
    const path = below(url, new URL(base));
    return path === undefined
      ? []
      : fitting(method, path).filter(({ operation }) => operation.address === address);
  });
  const best = lowestRank(placed);
  if (best) return { operation: best.operation, path: best.path, isMisplaced: false };
  const bases = Object.values(servers).map((base) => new URL(base));
  if (!bases.some(({ origin }) => origin === url.origin)) return undefined;
  const basePaths = bases.map(({ pathname }) => pathname.replace(/\/+$/, ''));
  const misplaced = lowestRank(
    [...new Set(['', basePath, basePath + basePath, ...basePaths])].flatMap((prefix) => {
      const path = afterPrefix(url.pathname, prefix);
      return path === undefined ? [] : fitting(method, path);
    }),
  );
  return misplaced && { operation: misplaced.operation, path: misplaced.path, isMisplaced: true };
}

/** An operation whose path fits, with the values of its parameters. Lower ranks are preferred. */
interface RankedMatch {
  operation: Operation;
  path: Readonly<Record<string, string>>;
  rank: number;
}

function lowestRank(candidates: readonly RankedMatch[]): RankedMatch | undefined {
  return candidates.reduce<RankedMatch | undefined>(
    (best, candidate) => (best && best.rank <= candidate.rank ? best : candidate),
    undefined,
  );
}

/** Finds the operations with a method whose paths fit a path. */
const fittingIn = rememberingEach((operations: readonly Operation[]) => {
  const tree = pathTree(byPrecedence(operations));
  return (method: string, path: string): RankedMatch[] => {
    let reached = [tree];
    for (const segment of path.split('/')) {
      const value = percentDecoded(segment);
      reached = reached.flatMap(({ fixed, templates }) => [
        ...[fixed.get(value) ?? []].flat(),
        ...[...templates].flatMap(([template, next]) => (fillSegment(template, value) ? next : [])),
      ]);
    }
    return reached.flatMap(({ ends }) =>
      ends.flatMap(({ operation, place }) => {
        const values = operation.method === method ? fill(operation.path, path) : undefined;
        return values ? { operation, path: values, rank: place } : [];
      }),
    );
  };
});

/** Sorts by fewer parameters, then more fixed text: if two paths fit, OpenAPI prefers the concrete one. */
function byPrecedence(operations: readonly Operation[]): Operation[] {
  const ranked = operations.map((operation) => ({
    operation,
    parameters: operation.path.split('{').length,
    fixed: operation.path.replace(/\{[^}]*\}/g, '').length,
  }));
  return ranked
    .sort((left, right) => left.parameters - right.parameters || right.fixed - left.fixed)
    .map(({ operation }) => operation);
}

/** The path of a URL relative to a base URL; undefined if the URL is not below it. */
function below(url: URL, base: URL): string | undefined {
  return url.origin === base.origin
    ? afterPrefix(url.pathname, base.pathname.replace(/\/+$/, ''))
    : undefined;
}

function afterPrefix(path: string, prefix: string): string | undefined {
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

/** The values of the parameters in a path template, such as `/a/{b}/{c}.pdf`; undefined if the path does not fit. */
export function fill(template: string, path: string): Record<string, string> | undefined {
  const [segments, values] = [template.split('/'), path.split('/')];
  if (segments.length !== values.length) return undefined;
  const filled: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const segmentValues = fillSegment(segment, percentDecoded(values[index] ?? ''));
    if (!segmentValues) return undefined;
    Object.assign(filled, segmentValues);
  }
  return filled;
}

function fillSegment(template: string, value: string): Record<string, string> | undefined {
  // Fixed texts, with the names of parameters between them.
  const [before = '', ...parts] = template.split(/\{([^}]+)\}/);
  if (parts.length === 0) return template === value ? {} : undefined;
  if (!value.startsWith(before)) return undefined;
  const values: Record<string, string> = {};
  let rest = value.slice(before.length);
  for (let index = 0; index < parts.length; index += 2) {
    const [name = '', after = ''] = parts.slice(index, index + 2);
    const isLast = index + 2 === parts.length;
    const end = isLast ? rest.length - after.length : rest.indexOf(after, 1);
    if (end < 1 || !rest.startsWith(after, end)) return undefined;
    values[name] = rest.slice(0, end);
    rest = rest.slice(end + after.length);
  }
  return values;
}
