import type { Operation } from '../../model/contract.ts';
import type { HeaderLine } from '../../model/exchange.ts';
import { stringifyJson } from '../../model/json.ts';
import { packageVersion } from '../../model/package-root.ts';
import { isLate, type Probe } from '../../model/probe.ts';
import { fill, type LearntValues } from '../learnt-values.ts';
import { authorization } from '../secrets/authorization.ts';
import type { SessionOptions } from '../types.ts';
import type { Outgoing } from './transport.ts';

type Target = Pick<SessionOptions, 'baseUrl' | 'apiUrl' | 'apiKey' | 'headers'>;

/** The request of a probe; undefined if a value that it needs, or its address, is unknown. */
export function requestOf(
  probe: Probe,
  operation: Operation,
  values: LearntValues,
  target: Target,
): Outgoing | undefined {
  const address = operation.address === 'apiUrl' ? target.apiUrl : target.baseUrl;
  if (address === undefined) return undefined;
  let path = operation.path;
  for (const [name, value] of Object.entries(probe.path)) {
    const filled = isLate(value) ? values.resolve(value) : value;
    if (filled === undefined) return undefined;
    path = path.replace(`{${name}}`, encodeURIComponent(String(filled)));
  }
  const query = new URLSearchParams(probe.query as [string, string][]).toString();
  const url = new URL(`${address.replace(/\/+$/, '')}${path}${query === '' ? '' : `?${query}`}`);
  const body =
    probe.body === undefined
      ? undefined
      : 'text' in probe.body
        ? probe.body.text
        : stringifyJson(fill(probe.body.json, values));
  const key = authorization(probe.key, target.apiKey);
  const headers: HeaderLine[] = [
    ['accept', 'application/json'],
    ['accept-encoding', 'gzip, deflate, br'],
    ['user-agent', `petspec/${packageVersion}`],
    ...(key === undefined ? [] : [['authorization', key] as const]),
    ...(body === undefined || !operation.body ? [] : [['content-type', operation.body.mediaType] as const]),
    ...target.headers,
  ];
  return { method: operation.method, url, headers, ...(body === undefined ? {} : { body }) };
}
