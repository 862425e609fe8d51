import { headerValues } from '../../src/model/exchange.ts';
import { quote } from '../../src/model/visible.ts';
import {
  type ClientCheck,
  type ClientRequest,
  eachRequest,
  listed,
  type RequestDeviation,
} from '../../src/traffic/client-check.ts';

const SECTION = 'Authentication';

/** Whether a request goes to the service, for an operation that needs a key. */
const isSecured = ({ classified, isForeign }: ClientRequest) =>
  !isForeign && classified.operation?.secured === true;

const shownKey = ({ exchange, credential: { in: place, name } }: ClientRequest) => {
  if (place !== 'header') return exchange.key === 'absent' ? `no ${name}` : `another ${name}`;
  const values = headerValues(exchange.requestHeaders, name);
  return values.length === 0 ? `no ${name}` : `${name}: ${quote(values.join(', '))}`;
};

const expectedKey = ({ credential: { in: place, name, scheme } }: ClientRequest) => {
  if (place !== 'header') return `the key as ${name} in the ${place}`;
  return `${name}: ${scheme === undefined ? '' : `${scheme} `}<API_KEY>`;
};

const headersOf = ({ credential: { in: place, name } }: ClientRequest) => (place === 'header' ? [name] : []);

/** Where a finding points for a misplaced key. The empty pointer is the whole body. */
function partOf(place: string): Pick<RequestDeviation, 'pointer' | 'headers'> {
  if (place === 'URL') return {};
  return place === 'body' ? { pointer: '' } : { headers: [place] };
}

/** What section Authentication says about clients. */
export const keyChecks: readonly ClientCheck[] = [
  eachRequest(
    listed('key.sent', 'must', SECTION, 'Every request for an operation that needs a key carries one.'),
    'send a request for an operation that needs a key',
    (request) => {
      // A misplaced key is judged by `key.place`.
      if (!isSecured(request) || request.keyPlaces.length > 0) return undefined;
      if (request.exchange.key !== 'absent') return 'held';
      return {
        kind: 'header',
        headers: headersOf(request),
        reason: `${request.exchange.operation} was called without a key`,
        expected: expectedKey(request),
        received: shownKey(request),
      };
    },
  ),
  eachRequest(
    listed(
      'key.form',
      'must',
      SECTION,
      'The key is sent as Authorization: Bearer <API_KEY>, with the key that the client was given.',
    ),
    'send a key in the Authorization header',
    (request) => {
      if (!isSecured(request) || request.exchange.key === 'absent') return undefined;
      if (request.exchange.key === 'valid') return 'held';
      return {
        kind: 'header',
        headers: headersOf(request),
        reason:
          request.credential.scheme === 'Bearer'
            ? 'the Authorization header is not Bearer and the key'
            : 'the key is not the one that the client was given',
        expected: expectedKey(request),
        received: shownKey(request),
      };
    },
  ),
  eachRequest(
    listed(
      'key.place',
      'must',
      SECTION,
      'The key is in the Authorization header and nowhere else: not in the URL, in the body, or in another header.',
    ),
    'send a key',
    (request) => {
      if (request.isForeign) return undefined;
      const [place] = request.keyPlaces;
      if (place !== undefined)
        return {
          kind: place === 'URL' || place === 'body' ? 'meaning' : 'header',
          ...partOf(place),
          reason: `the key is in the ${place === 'URL' || place === 'body' ? place : `header ${place}`}`,
          expected: `only ${expectedKey(request)}`,
          received: place === 'URL' ? quote(request.exchange.url) : place,
        };
      return request.exchange.key === 'absent' ? undefined : 'held';
    },
  ),
  eachRequest(
    listed(
      'key.origin',
      'should',
      SECTION,
      'The key is sent only to the addresses of the service, also after a redirect.',
    ),
    'send a request to another origin',
    (request) => {
      if (!request.isForeign) return undefined;
      // A redirect repeats the URL, so a key in it is judged where it was first sent.
      const places = request.keyPlaces.filter((place) => place !== 'URL');
      if (request.exchange.key === 'absent' && places.length === 0) return 'held';
      return {
        kind: 'meaning',
        reason: 'the key was sent to an origin that is not the service',
        expected: 'no key',
        received: `the key at ${quote(new URL(request.exchange.url).origin)}`,
      };
    },
  ),
];
