import type { Change } from '../../changes/change.ts';
import { answering, onAnswer, withAnotherHeader, withHeader } from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { ANY_HEADERS, MEDIA_TYPE } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const PATHS = 'Endpoints: the response to another path is not shown';

/** Another spelling of the list's path, without a key. */
const isRespelled = ({ path }: Call) =>
  /\/pets\/$|\/\/+pets$/.test(path) ||
  (path.includes('%') && /\/(?:p|%70)(?:e|%65)(?:t|%74)(?:s|%73)$/.test(path));
const respelled = (answerTo: (call: Call) => Answer): Change => ({
  around: async (call, next) => {
    const answer = await next(call);
    if (call.key !== 'missing' || call.method !== 'GET' || call.listener !== 'animals' || !isRespelled(call))
      return answer;
    const respelledAnswer = answerTo(call);
    const kept = answer.headers.filter(([name]) => /^(?:date|x-ratelimit-.*)$/i.test(name));
    return { ...respelledAnswer, headers: [...respelledAnswer.headers, ...kept] };
  },
});

const FORMS =
  'RFC 9110 sections 12.5.1 and 15.5: a service may refuse a coding, a type that it cannot send, and a malformed URL';

/** Forms of a request that a service may refuse, and how. */
const REFUSED: readonly (readonly [status: number, isMeant: (call: Call) => boolean])[] = [
  [400, ({ target }) => target.includes('%zz')],
  [403, ({ headers }) => headers.referer !== undefined],
  [406, ({ headers }) => headers.accept?.includes('q=,') === true],
  [415, ({ headers }) => headers['content-encoding'] !== undefined],
];

/** Services that treat some clients and some spellings of an address differently. */
export const clientsVariants: readonly Variant[] = [
  variantOf(
    'origin-shared',
    'a request with an Origin gets the headers of CORS',
    ANY_HEADERS,
    withHeader(
      { when: ({ headers }) => headers.origin !== undefined },
      'Access-Control-Allow-Origin',
      (_old, _answer, { headers }) => headers.origin ?? '*',
    ),
    withHeader({}, 'Vary', 'Origin'),
  ),
  variantOf(
    'accept-told-charset',
    'without Accept: application/json, the Content-Type also names the charset',
    MEDIA_TYPE,
    withHeader(
      { when: ({ headers, operation }) => operation !== undefined && headers.accept !== 'application/json' },
      'Content-Type',
      'application/json; charset=utf-8',
    ),
  ),
  variantOf(
    'agent-cookie',
    'a User-Agent that was not seen before gets a cookie',
    ANY_HEADERS,
    withAnotherHeader(
      {
        when: ({ headers, recall }) => {
          const seen = recall('agents', () => new Set<string>());
          return seen.size < seen.add(headers['user-agent'] ?? '').size;
        },
      },
      'Set-Cookie',
      'visit=1; Path=/; HttpOnly',
    ),
  ),
  ...allowedBy(PATHS, {
    'respelled-redirected': [
      'another spelling of the path of the list is redirected to the usual one, without a body',
      respelled(() => ({ status: 308, headers: [['Location', '/v1/pets']], body: undefined })),
    ],
    'respelled-401': [
      'another spelling of the path of the list also requires a key',
      respelled(() =>
        errorAnswer(401, 'unauthorized', 'an API key is required', [['WWW-Authenticate', 'Bearer']]),
      ),
    ],
    'respelled-index': [
      'another spelling of the path of the list gets 200 with an index of the service, without animals',
      respelled(() => jsonAnswer(200, { service: 'animal store', links: ['/v1/pets', '/v1/store/orders'] })),
    ],
  }),
  variantOf(
    'forms-refused',
    'a compressed body, a malformed Accept, a malformed URL and a Referer are refused with the status of each',
    FORMS,
    ...REFUSED.map(([status, when]) =>
      answering({ key: 'valid', when }, () =>
        errorAnswer(status, 'unsupported', 'the form is not supported'),
      ),
    ),
  ),
];

const NOT_SHOWN =
  'What the service does: "All paths below are relative to the base address"; other spellings are not shown';

/** Whether a request goes to another spelling of an address, without a key. */
const isSpelled = ({ path, listener, key }: Call) =>
  listener === 'animals' && key !== 'valid' && /\/\/|\/$|%/.test(path);

const spelled = (change: (answer: Answer, call: Call) => Answer): Change =>
  onAnswer({ when: isSpelled }, change);

/** What a router or a gateway may return at other spellings of an address: anything but animals. */
export const addressVariants: readonly Variant[] = allowedBy(NOT_SHOWN, {
  'address-redirected': [
    'other spellings of an address are redirected to the usual one, by a router without rate limit headers',
    spelled((_, { path }) => ({
      status: 308,
      headers: [['Location', path.replaceAll(/\/+/g, '/').replace(/\/$/, '').replaceAll('%65', 'e')]],
      body: undefined,
    })),
  ],
  'address-page': [
    'at other spellings of an address a static page is returned with 200',
    spelled(() => ({ status: 200, headers: [['Content-Type', 'text/html']], body: '<html>animals</html>' })),
  ],
  'address-nothing': [
    'at other spellings of an address nothing is found: 200 with an empty list',
    spelled(() => jsonAnswer(200, [])),
  ],
  'address-502': [
    'a gateway passes other spellings of an address on to a service that does not exist: 502',
    spelled(() => ({ status: 502, headers: [], body: 'bad gateway' })),
  ],
});
