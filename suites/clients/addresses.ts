import { quote } from '../../src/model/visible.ts';
import { type ClientCheck, eachRequest, listed, observing } from '../../src/traffic/client-check.ts';

/** What the interface says about the addresses and operations that clients use. */
export const addressChecks: readonly ClientCheck[] = [
  eachRequest(
    listed(
      'address',
      'must',
      'What the service does',
      'A request for an operation goes to its path below its own address, version included.',
    ),
    'send a request for an operation of the interface',
    ({ exchange, classified: { operation, isMisplaced }, isForeign }) => {
      if (isForeign || !operation) return undefined;
      if (!isMisplaced) return 'held';
      return {
        kind: 'meaning',
        reason: `${operation.id} was called at another address than its own`,
        expected: `${operation.method} {${operation.address}}${operation.path}`,
        received: `${exchange.method} ${quote(exchange.url)}`,
      };
    },
  ),
  eachRequest(
    listed('deprecated', 'should', 'Versioning', 'Clients do not call an operation that is deprecated.'),
    'send a request for an operation of the interface',
    ({ exchange, classified: { operation }, isForeign }) => {
      if (isForeign || !operation) return undefined;
      if (!operation.deprecated) return 'held';
      return {
        kind: 'meaning',
        reason: `${operation.id} is deprecated${operation.removal ? `; it may be gone from ${operation.removal}` : ''}`,
        expected: 'no call of it',
        received: `${exchange.method} ${quote(exchange.url)}`,
      };
    },
  ),
  observing(
    listed(
      'open.unlisted',
      'open',
      'Endpoints',
      'Whether clients may call what the interface does not list is not shown.',
    ),
    ({ scenarios }) => {
      const unlisted = scenarios
        .flatMap(({ requests }) => requests)
        .filter(({ classified, isForeign }) => !isForeign && !classified.operation);
      const calls = new Set(
        unlisted.map(({ exchange }) => `${exchange.method} ${quote(new URL(exchange.url).pathname)}`),
      );
      if (calls.size === 0) return undefined;
      return { words: `the client called ${[...calls].slice(0, 5).join(', ')}`, evidence: unlisted };
    },
  ),
];
