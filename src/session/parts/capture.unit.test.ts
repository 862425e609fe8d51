import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import type { Contract } from '../../model/contract.ts';
import type { HeaderLine } from '../../model/exchange.ts';
import { deriveProbes } from '../../probes/derive.ts';
import { secretsOfRun } from '../../secrets/secrets-of-run.ts';
import type { SessionOptions } from '../terms/types.ts';
import { exchangeCapture } from './capture.ts';

const contract = loadContract();
const [probe] = deriveProbes(contract, []);
const operation = contract.operations.find(({ id }) => id === probe?.operation);

/** The body that a run with these secrets keeps of a response. */
function shown(
  body: string,
  apiKey: string,
  headers: readonly HeaderLine[] = [],
  of: Contract = contract,
): string | undefined {
  if (!probe || !operation) throw new Error('no probe');
  const options = { apiKey, headers, baseUrl: 'http://127.0.0.1:9/v1' } as SessionOptions;
  const capture = exchangeCapture(of, options);
  const url = new URL('http://127.0.0.1:9/v1/pets');
  const response = { status: 200, headers: [], body };
  const answer = { sentAt: 1, receivedAt: 2, response };
  const request = { method: 'GET', url, headers: [] };
  const captured = capture({ id: 1, probe, operation, request, inFlight: 1, answer });
  expect(captured.response?.body).toBe(body);
  return secretsOfRun(of, options).hide(captured).response?.body;
}

test('runs one after the other each hide their own key', () => {
  const body = '"first-key-123456 and second-key-654321"';
  expect(shown(body, 'first-key-123456')).toBe('"[key] and second-key-654321"');
  expect(shown(body, 'second-key-654321')).toBe('"first-key-123456 and [key]"');
  expect(shown(body, 'first-key-123456')).toBe('"[key] and second-key-654321"');
});

test('and their own headers, with the same key', () => {
  const body = '"first-key-123456 and gateway-s3cr3t-1"';
  const headers = [['x-gateway-token', 'gateway-s3cr3t-1']] as const;
  expect(shown(body, 'first-key-123456')).toBe('"[key] and gateway-s3cr3t-1"');
  expect(shown(body, 'first-key-123456', headers)).toBe('"[key] and [key]"');
  expect(shown(body, 'first-key-123456')).toBe('"[key] and gateway-s3cr3t-1"');
});

test('with HTTP Basic the password alone is hidden too', () => {
  const credential = { in: 'header', name: 'Authorization', scheme: 'Basic' } as const;
  const basic = { ...contract, operations: contract.operations.map((each) => ({ ...each, credential })) };
  const body = '"alice, alice:S3cret-Passw0rd, S3cret-Passw0rd"';
  expect(shown(body, 'alice:S3cret-Passw0rd', [], basic)).toBe('"alice, [key], [key]"');
  expect(shown(body, 'alice:S3cret-Passw0rd')).toBe('"alice, [key], S3cret-Passw0rd"');
  expect(shown('"no t0ken-of-alice"', 't0ken-of-alice:', [], basic)).toBe('"no [key]"');
});

test('a header that repeats what a response said shows no key', () => {
  if (!probe || !operation) throw new Error('no probe');
  const late = { late: 'validator', header: 'ETag' } as const;
  const own: readonly HeaderLine[] = [];
  const options = {
    apiKey: 'k-9187654321',
    headers: own,
    baseUrl: 'http://127.0.0.1:9/v1',
  } as SessionOptions;
  const captured = exchangeCapture(
    contract,
    options,
  )({
    id: 1,
    probe: { ...probe, headers: [['If-Match', late]] },
    operation,
    request: {
      method: 'PUT',
      url: new URL('http://127.0.0.1:9/v1/pets'),
      headers: [
        ['IF-MATCH', '"v-k-9187654321"'],
        ['authorization', 'Bearer k-9187654321'],
      ],
    },
    inFlight: 1,
    answer: { sentAt: 1, receivedAt: 2 },
  });
  expect(secretsOfRun(contract, options).hide(captured).requestHeaders).toEqual([
    ['IF-MATCH', '"v-[key]"'],
    ['authorization', 'Bearer $PETSPEC_API_KEY'],
  ]);
});
