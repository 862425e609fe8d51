import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { lateValuesIn, type Probe, type RequestVariation } from '../../model/probe.ts';
import { deriveProbes } from '../../probes/derive.ts';
import { LearntValues } from '../learnt-values.ts';
import { requestsTo } from './fixed-requests.ts';
import type { Target } from './request.ts';

const contract = loadContract();
const probes = deriveProbes(contract, []);
const target: Target = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'first-key-123456', headers: [] };
const titled: RequestVariation = { id: 'title', kind: 'header-names', style: 'title' };

const isLate = ({ path, body }: Probe) => lateValuesIn([path, body]).length > 0;
const isAt = (address: string, { operation }: Probe) =>
  contract.operations.find(({ id }) => id === operation)?.address === address;
const fixedAt = (address: string) =>
  probes.find((probe) => !isLate(probe) && probe.key === 'valid' && isAt(address, probe)) as Probe;
const fixed = fixedAt('baseUrl');

/** The request of a probe in a run of its own. */
function requestIn(
  to: Target,
  probe: Probe,
  change: { category?: bigint; variations?: RequestVariation[] } = {},
) {
  const operation = contract.operations.find(({ id }) => id === probe.operation);
  if (!operation) throw new Error(`no operation ${probe.operation}`);
  const values = new LearntValues(change.category ?? 7n, () => 1n);
  return requestsTo(contract, to)(probe, operation, values, change.variations);
}

describe('a request that depends on nothing learnt', () => {
  test('is made once for all runs with the same target', () => {
    const made = requestIn(target, fixed);
    expect(made?.url.href).toMatch(/^http:\/\/127\.0\.0\.1:9\/v1\//);
    expect(requestIn({ ...target, headers: [] }, fixed)).toBe(made);
  });

  test.each<[what: string, change: Partial<Target>, shown: string]>([
    ['another key', { apiKey: 'second-key-654321' }, 'second-key-654321'],
    ['another address', { baseUrl: 'http://127.0.0.1:10/v2' }, 'http://127.0.0.1:10/v2/'],
    ['another header', { headers: [['x-gateway', 'blue']] }, 'blue'],
  ])('is made again for %s, and for the target before', (_what, change, shown) => {
    const textOf = (to: Target) => {
      const request = requestIn(to, fixed);
      return `${request?.url.href}\n${JSON.stringify(request?.headers)}`;
    };
    const before = textOf(target);
    expect(before).not.toContain(shown);
    expect(textOf({ ...target, ...change })).toContain(shown);
    expect(textOf(target)).toBe(before);
  });

  test('goes to the other address of its own target', () => {
    const message = fixedAt('apiUrl');
    const origins = ['http://127.0.0.1:11', 'http://127.0.0.1:12'].map(
      (apiUrl) => requestIn({ ...target, apiUrl }, message)?.url.origin,
    );
    expect(origins).toEqual(['http://127.0.0.1:11', 'http://127.0.0.1:12']);
    expect(requestIn(target, message)).toBeUndefined();
  });

  test('has a trace of its own each time', () => {
    const traces = [1, 2].map(() => {
      const headers = requestIn({ ...target, traceparent: true }, fixed)?.headers ?? [];
      return headers.find(([name]) => name === 'traceparent')?.[1];
    });
    expect(traces[0]).toMatch(/^00-/);
    expect(traces[1]).not.toBe(traces[0]);
  });

  test('is written as a variation says, whatever was sent before', () => {
    const plain = requestIn(target, fixed)?.headers.map(([name]) => name);
    const varied = requestIn(target, fixed, { variations: [titled] })?.headers.map(([name]) => name);
    expect(varied).toContain('Accept');
    expect(requestIn(target, fixed)?.headers.map(([name]) => name)).toEqual(plain);
  });
});

test('a value that the run learns is written anew in each run', () => {
  const withCategory = probes.find(({ body }) =>
    lateValuesIn(body).some((value) => value.late === 'reference' && value.as === 'value'),
  ) as Probe;
  expect(requestIn(target, withCategory, { category: 4321n })?.body).toContain('4321');
  const second = requestIn(target, withCategory, { category: 8765n })?.body;
  expect(second).toContain('8765');
  expect(second).not.toContain('4321');
});
