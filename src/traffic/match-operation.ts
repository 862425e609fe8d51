import type { Address, Contract, Operation } from '../model/contract.ts';
import { percentDecoded } from '../model/http/percent-encoding.ts';
import { pathTree } from '../model/large/operations.ts';
import { rememberingEach } from '../model/remembering.ts';

/** The base URL of each address of a service, without a slash at its end. */
export type Servers = Readonly<Record<Address, string>>;

/** The operation that a request is for, and the values of its path parameters. */
export interface Match {
  operation: Operation;
  path: Readonly<Record<string, string>>;
  /** Whether the request has the method and the path of the operation, but not at its address. */
  isMisplaced: boolean;
}

/**
 * Finds the operation that a request is for. A request for `/pets` instead of `/v1/pets` is for the same operation, but
 * misplaced. Returns undefined if the interface defines nothing like it.
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
  const found = firstOf(placed);
  if (found) return { operation: found.operation, path: found.path, isMisplaced: false };
  const bases = Object.values(servers).map((base) => new URL(base));
  if (!bases.some(({ origin }) => origin === url.origin)) return undefined;
  const basePaths = bases.map(({ pathname }) => pathname.replace(/\/+$/, ''));
  const misplaced = firstOf(
    [...new Set(['', basePath, basePath + basePath, ...basePaths])].flatMap((prefix) => {
      const path = afterPrefix(url.pathname, prefix);
      return path === undefined ? [] : fitting(method, path);
    }),
  );
  return misplaced && { operation: misplaced.operation, path: misplaced.path, isMisplaced: true };
}

/** An operation whose path fits, with the values of its parameters. Those of a lower rank are preferred. */
interface Fitting {
  operation: Operation;
  path: Readonly<Record<string, string>>;
  rank: number;
}

function firstOf(all: readonly Fitting[]): Fitting | undefined {
  return all.reduce<Fitting | undefined>(
    (best, each) => (best && best.rank <= each.rank ? best : each),
    undefined,
  );
}

/** Finds the operations with a method whose paths fit a path. */
const fittingIn = rememberingEach((all: readonly Operation[]) => {
  const tree = pathTree(sorted(all));
  return (method: string, path: string): Fitting[] => {
    let reached = [tree];
    for (const each of path.split('/')) {
      const value = percentDecoded(each);
      reached = reached.flatMap(({ fixed, templates }) => [
        ...[fixed.get(value) ?? []].flat(),
        ...[...templates].flatMap(([template, next]) => (fillSegment(template, value) ? next : [])),
      ]);
    }
    return reached.flatMap(({ ends }) =>
      ends.flatMap(({ operation, place }) => {
        const found = operation.method === method ? fill(operation.path, path) : undefined;
        return found ? { operation, path: found, rank: place } : [];
      }),
    );
  };
});

/** Paths with fewer parameters, and with more beside them, first: of two that fit, OpenAPI prefers the concrete one. */
function sorted(operations: readonly Operation[]): Operation[] {
  const ranked = operations.map((operation) => ({
    operation,
    parameters: operation.path.split('{').length,
    fixed: operation.path.replace(/\{[^}]*\}/g, '').length,
  }));
  return ranked
    .sort((left, right) => left.parameters - right.parameters || right.fixed - left.fixed)
    .map(({ operation }) => operation);
}

/** The path of a URL relative to a base URL; undefined if it is not below it. */
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
  const found: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const own = fillSegment(segment, percentDecoded(values[index] ?? ''));
    if (!own) return undefined;
    Object.assign(found, own);
  }
  return found;
}

function fillSegment(template: string, value: string): Record<string, string> | undefined {
  // Texts, and between them the names of parameters.
  const [before = '', ...parts] = template.split(/\{([^}]+)\}/);
  if (parts.length === 0) return template === value ? {} : undefined;
  if (!value.startsWith(before)) return undefined;
  const found: Record<string, string> = {};
  let rest = value.slice(before.length);
  for (let index = 0; index < parts.length; index += 2) {
    const [name = '', after = ''] = parts.slice(index, index + 2);
    const isLast = index + 2 === parts.length;
    const end = isLast ? rest.length - after.length : rest.indexOf(after, 1);
    if (end < 1 || !rest.startsWith(after, end)) return undefined;
    found[name] = rest.slice(0, end);
    rest = rest.slice(end + after.length);
  }
  return found;
}
