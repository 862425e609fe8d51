import { expect, test } from 'vitest';
import { UsageError } from '../../model/usage-error.ts';
import { contractOf } from '../../run/contract-of.ts';
import { proxyOptions, proxyWarnings } from './proxy-flags.ts';

const contract = contractOf({});

function warningsOf(listen: string): string {
  const flags = { port: 0, pagePort: 0, maxLedger: 1, out: 'reports', listen };
  return proxyWarnings(proxyOptions('http://127.0.0.1:9/v1', flags, contract));
}

test.each(['0.0.0.0', '0', '0x0', '00.0', '::', '::0', '::%lo', '::ffff:0.0.0.0', '[::]', '*', '192.0.2.7'])(
  'an address that others may reach gets a warning: %s',
  (listen) => {
    expect(warningsOf(listen)).toBe(
      'petspec: warning: --listen: plain http; anyone on the network can read the keys; use --tls-cert\n',
    );
  },
);

test.each(['127.0.0.1', '127.1', '127.9.8.7', '::1', 'localhost'])(
  'an address of this machine gets none: %s',
  (listen) => {
    expect(warningsOf(listen)).toBe('');
  },
);

test.each(['', ' '])('an address must be named: %j', (listen) => {
  expect(() => warningsOf(listen)).toThrow('--listen: no address named');
});

/** What is said of a target, if clients use port 8090 and the page is on 8091. */
function refusalOf(target: string, listen: string, port = 8090): string {
  const flags = { port, pagePort: 8091, maxLedger: 1, out: 'reports', listen };
  try {
    proxyOptions(target, flags, contract);
    return '';
  } catch (error) {
    return error instanceof UsageError ? error.message : 'not one line';
  }
}

test.each([
  ['http://127.0.0.1:8090/v1', '127.0.0.1'],
  ['https://localhost:8090/v1', '127.0.0.1'],
  ['http://127.0.0.1:8090/v1', 'localhost'],
  ['http://127.0.0.1:8090/v1', '0.0.0.0'],
  ['http://[::1]:8090/v1', '::'],
  ['http://127.0.0.1:8090/v1', '::%lo'],
  ['http://192.0.2.7:8090/v1', '192.0.2.7'],
])('the proxy itself is no target: %s, listening on %s', (target, listen) => {
  expect(refusalOf(target, listen)).toBe('--port: port 8090 is that of the target; name another one');
});

test.each([
  ['http://localhost/v1', 80],
  ['https://127.0.0.1/v1', 443],
])('nor at the port that its scheme has by default: %s', (target, port) => {
  expect(refusalOf(target, '127.0.0.1', port)).toBe(
    `--port: port ${port} is that of the target; name another one`,
  );
});

test('the live page is no target', () => {
  expect(refusalOf('http://127.0.0.1:8091/v1', '127.0.0.1')).toBe(
    '--page-port: port 8091 is that of the target; name another one',
  );
});

test.each([
  ['http://127.0.0.1:8080/v1', '127.0.0.1'],
  ['http://127.0.0.1/v1', '127.0.0.1'],
  ['http://example.com:8090/v1', '127.0.0.1'],
  ['http://example.com:8090/v1', '0.0.0.0'],
  ['http://127.0.0.2:8090/v1', '127.0.0.1'],
  ['http://127.0.0.1:8090/v1', '192.0.2.7'],
])('another server may be at the same port elsewhere: %s, listening on %s', (target, listen) => {
  expect(refusalOf(target, listen)).toBe('');
});

test.each([
  ['127.0.0.1', [], undefined],
  ['localhost', ['store.example'], undefined],
  ['0.0.0.0', [], []],
  ['192.0.2.7', ['store.example'], ['store.example']],
])('listening on %s with --allow-host %j, the Hosts that may lead there', (listen, allowHost, names) => {
  const flags = { port: 0, pagePort: 0, maxLedger: 1, out: 'reports', listen, allowHost };
  const { place, pagePlace } = proxyOptions('http://127.0.0.1:9/v1', flags, contract);
  expect(place.names).toEqual(names);
  expect(pagePlace.names).toEqual(allowHost);
});
