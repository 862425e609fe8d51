import { type Check, eachExchange, headerValues, ownedCheck, unobservable } from '../src/suite.ts';
import { nothingAdded } from './refused.ts';

/** Authentication: a wrong key is rejected, the right one is accepted. That every operation uses 401 for it is derived. */
export const authentication: readonly Check[] = [
  // Whichever key an operation refuses, it does not execute the request.
  nothingAdded(
    ownedCheck('authentication.key', (probe) => probe.rule === 'authentication.key'),
    401,
    (probe) => probe.key !== 'valid',
  ),
  ownedCheck('authentication.scheme', (probe) => probe.rule === 'authentication.scheme'),

  ownedCheck('authentication.first', (probe) => probe.rule === 'authentication.first'),
  // The plainest request of each operation, and the requests for which only a 401 or a 5xx is wrong.
  ownedCheck(
    'authentication.accepted',
    ({ key, expectation, controls }) =>
      key === 'valid' && (expectation.kind === 'open' || controls.length === 0),
  ),

  eachExchange(
    { requirement: 'authentication.challenge', probes: (probe) => probe.key !== 'valid', of: 'answered' },
    ({ exchange }) => {
      if (exchange.response?.status !== 401) return undefined;
      if (headerValues(exchange.response.headers, 'WWW-Authenticate').length > 0) return 'held';
      return {
        reason: 'a 401 has no challenge',
        expected: 'WWW-Authenticate: Bearer',
        received: 'no WWW-Authenticate header',
        headers: ['WWW-Authenticate'],
      };
    },
  ),

  unobservable('open.key-origin', 'the platform issues keys, outside this interface'),
  unobservable('open.ban', 'petspec sends nothing while a window is closed, so it is never banned'),
];
