import { type Check, eachExchange, unobservable } from '../src/judge/check.ts';
import { ownedCheck } from '../src/judge/derived-checks.ts';
import { headerValues } from '../src/model/exchange.ts';

/** Authentication: a wrong key is refused, the right one is not. That 401 is the status, on every operation, is derived. */
export const authentication: readonly Check[] = [
  ownedCheck('authentication.key', (probe) => probe.rule === 'authentication.key'),
  ownedCheck('authentication.scheme', (probe) => probe.rule === 'authentication.scheme'),

  ownedCheck('authentication.first', (probe) => probe.rule === 'authentication.first'),
  // The plainest request of each operation, and all that nothing but a 401 or a 5xx is wrong for.
  ownedCheck(
    'authentication.accepted',
    ({ key, acceptable, controls }) => key === 'valid' && (acceptable.length === 0 || controls.length === 0),
  ),

  eachExchange(
    { requirement: 'authentication.challenge', probes: (probe) => probe.key !== 'valid', of: 'answered' },
    ({ exchange }) => {
      if (exchange.response?.status !== 401) return undefined;
      if (headerValues(exchange.response.headers, 'WWW-Authenticate').length > 0) return 'held';
      return {
        reason: 'a 401 comes without a challenge',
        expected: 'WWW-Authenticate: Bearer',
        received: 'no WWW-Authenticate header',
        headers: ['WWW-Authenticate'],
      };
    },
  ),

  unobservable('open.key-origin', 'keys come from the platform, outside this interface'),
  unobservable('open.ban', 'petspec sends nothing in a closed window, so it is never banned'),
];
