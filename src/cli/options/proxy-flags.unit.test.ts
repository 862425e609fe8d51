import { expect, test } from 'vitest';
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
