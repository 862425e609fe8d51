import type { Address, Contract, Operation } from '../model/contract.ts';
import { percentDecoded } from '../model/http/percent-encoding.ts';

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

/** Paths with fewer parameters, and with more beside them, first: of two that fit, OpenAPI prefers the concrete one. */
function sorted(operations: readonly Operation[]): Operation[] {
  const parameters = ({ path }: Operation) => path.split('{').length;
  const fixed = ({ path }: Operation) => path.replace(/\{[^}]*\}/g, '').length;
  return [...operations].sort(
    (left, right) => parameters(left) - parameters(right) || fixed(right) - fixed(left),
  );
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
