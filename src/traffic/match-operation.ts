import type { Address, Contract, Operation } from '../model/contract.ts';

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
  const own = operations.filter((each) => each.method === method);
  for (const operation of sorted(own)) {
    const base = Object.hasOwn(servers, operation.address) ? servers[operation.address] : undefined;
    const path = base === undefined ? undefined : below(url, new URL(base));
    const found = path === undefined ? undefined : fill(operation.path, path);
    if (found) return { operation, path: found, isMisplaced: false };
  }
  const bases = Object.values(servers).map((base) => new URL(base));
  if (!bases.some(({ origin }) => origin === url.origin)) return undefined;
  const basePaths = bases.map(({ pathname }) => pathname.replace(/\/+$/, ''));
  const prefixes = new Set(['', basePath, basePath + basePath, ...basePaths]);
  for (const operation of sorted(own))
    for (const prefix of prefixes) {
      const path = afterPrefix(url.pathname, prefix);
      const found = path === undefined ? undefined : fill(operation.path, path);
      if (found) return { operation, path: found, isMisplaced: true };
    }
  return undefined;
}

/** Paths without parameters first: of two that fit, OpenAPI prefers the concrete one. */
function sorted(operations: readonly Operation[]): Operation[] {
  const parameters = ({ path }: Operation) => path.split('{').length;
  return [...operations].sort((left, right) => parameters(left) - parameters(right));
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

/** The values of the parameters in a path template; undefined if the path does not fit. */
export function fill(template: string, path: string): Record<string, string> | undefined {
  const [names, values] = [template.split('/'), path.split('/')];
  if (names.length !== values.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, segment] of names.entries()) {
    const value = decoded(values[index] ?? '');
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined ? segment !== value : value === '') return undefined;
    if (name !== undefined) found[name] = value;
  }
  return found;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
