import type { Change } from '../../changes/change.ts';
import { answering, combined } from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { NEEDLESS_ESCAPE } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import { MAY_REFUSE } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const NAMES =
  'POST /pets (createPet): 400 for "invalid values"; what a firewall in front of the service does with an attack is not shown';
const QUERY = 'GET /pets (listPets): the response to parameters that are not listed is not shown';

const SUSPICIOUS = /["'<>`;]|\$\{|\{\{/;
/** Complete attacks: a quote, markup or a bracket alone is a letter of a name. */
const SQL =
  /['"]\s*(?:\)\s*;|or\s+['"\d]|union\s+select)|;\s*(?:drop|delete|update|insert)\s|\bdrop\s+table\b/i;
const SHELL = /(?:\$\(|`|[|;&]\s*)\s*(?:cat|curl|id|ls|nc|reboot|rm|sh|sleep|touch|wget|whoami)\b/;
const PATHS = /(?:\.\.[/\\]){2,}|\/etc\/passwd|\\windows\\/i;

/** Names that a service may take for an attack. */
export const ATTACKS: readonly RegExp[] = [SQL, SHELL, PATHS];

const nameOf = ({ body }: Call) => (isObject(body) && typeof body.name === 'string' ? body.name : '');
const forbidden = () => errorAnswer(403, 'blocked', 'the firewall blocked this request');

const blocking = (isAttack: (call: Call) => boolean): Change =>
  answering({ key: 'valid', when: isAttack }, forbidden);
const blockingNames = (attack: RegExp): Change => blocking((call) => attack.test(nameOf(call)));

const unknownParameters = ({ query }: Call) =>
  [...query].filter(([name]) => name !== 'limit' && name !== 'status').flat();
const describing = ({ headers }: Call) =>
  [headers['user-agent'], headers.origin, headers.referer, headers.accept].filter(
    (value) => value !== undefined,
  );

/** Firewalls that block quotes, markup and attacks where the interface does not promise that they pass. */
export const firewallVariants: readonly Variant[] = [
  variantOf(
    'firewall-query',
    'an unknown parameter with quotes, markup or template signs gets 403',
    QUERY,
    blocking((call) => unknownParameters(call).some((text) => SUSPICIOUS.test(text))),
  ),
  variantOf(
    'firewall-headers',
    'quotes or markup in User-Agent, Origin, Referer or Accept get 403',
    MAY_REFUSE,
    blocking((call) => describing(call).some((value) => /["'<>`]/.test(value))),
  ),
  ...allowedBy(NAMES, {
    'firewall-sql': ['a name that is an attack on a database gets 403', blockingNames(SQL)],
    'firewall-shell': ['a name that runs a command in a shell gets 403', blockingNames(SHELL)],
    'firewall-paths': ['a name that leads out of a folder gets 403', blockingNames(PATHS)],
    'firewall-zero': [
      'a name with U+0000, a format specifier or __proto__ gets 403, also if the rest of the body is wrong',
      blockingNames(/\0|%n|__proto__/),
    ],
    'firewall-incident': [
      'a name that is an attack gets 403 with the number of an incident, in JSON of the firewall',
      answering(
        { key: 'valid', when: (call) => ATTACKS.some((attack) => attack.test(nameOf(call))) },
        ({ number }) => jsonAnswer(403, { code: 'blocked', message: `incident ${number}`, status: 403n }),
      ),
    ],
  }),
];

const BODIES =
  'What the service does: "All request and response bodies are JSON (`application/json`)", without parameters or another spelling';
const ACCEPT = 'RFC 9110 section 12.5.1: a service may respond with 406 to an Accept that it does not serve';

const LENGTH = 'RFC 9110 section 15.5.12: a server may refuse a request without a Content-Length';
const SPELLING =
  'RFC 3986 section 6.2.2.2: a needless escape should be normalized, which no service has to do';
const SIZE =
  'RFC 9110 section 15.5.14: a server may refuse content that is larger than it is willing to process';

const TYPE = 'application/json';
const PARAMETERS = ['limit', 'status'];
const MOST_BYTES = 8_192;

const isBodied = ({ operation }: Call) => operation === 'createPet' || operation === 'sendMessage';
const typeOf = ({ headers }: Call) => headers['content-type'] ?? '';
const acceptOf = ({ headers }: Call) => headers.accept;

type CallPredicate = (call: Call) => boolean;

/** What a gateway may refuse, because the interface does not say that it is accepted. */
const TESTS = {
  charset: (call) => isBodied(call) && typeOf(call).includes(';'),
  typeCase: (call) =>
    isBodied(call) && typeOf(call).toLowerCase().startsWith(TYPE) && !typeOf(call).startsWith(TYPE),
  noAccept: (call) => acceptOf(call) === undefined,
  anyAccept: (call) => acceptOf(call)?.startsWith('*/*') === true,
  acceptList: (call) => acceptOf(call)?.includes(',') === true,
  otherAgent: ({ headers }) => !/^petspec\/\d/.test(headers['user-agent'] ?? ''),
  origin: ({ headers }) => headers.origin !== undefined,
  unknownParameter: ({ query }) => [...query.keys()].some((name) => !PARAMETERS.includes(name)),
  chunked: ({ headers }) => headers['transfer-encoding'] !== undefined,
  escape: ({ target }) => NEEDLESS_ESCAPE.test(target),
  escapedPath: ({ path }) => NEEDLESS_ESCAPE.test(path),
  large: ({ bodyBytes }) => bodyBytes.length > MOST_BYTES,
} satisfies Record<string, CallPredicate>;

const isOtherType: CallPredicate = (call) => isBodied(call) && !typeOf(call).toLowerCase().startsWith(TYPE);

/** Refuses a request that has the right key, and for which all that is wrong is that it is unusual. */
const refusing = (test: CallPredicate, status: number): Change =>
  answering({ key: 'valid', when: test }, () =>
    errorAnswer(status, 'refused', 'the gateway does not let this request through'),
  );

const gateway = (
  id: string,
  summary: string,
  freedom: string,
  test: CallPredicate,
  status: number,
): Variant => variantOf(id, summary, freedom, refusing(test, status));

/** Whether an addition has a long name, a name like an attack, or a category that no animal of the store has. */
const isUnusualAnimal: CallPredicate = ({ operation, body, store }) => {
  if (operation !== 'createPet' || !isObject(body)) return false;
  const { name, categoryId } = body;
  const isName =
    typeof name === 'string' && (name.length >= 255 || ATTACKS.some((attack) => attack.test(name)));
  const isKnown = store.all().some((animal) => animal.categoryId === categoryId);
  return isName || (typeof categoryId === 'bigint' && !isKnown);
};

/** The page of a gateway that knows nothing of the service behind it. */
const PAGE: Answer = { status: 406, headers: [['Content-Type', 'text/html']], body: '<h1>406</h1>' };

/** Gateways that refuse what the interface does not show: a single thing, or all of it. */
export const gatewayVariants: readonly Variant[] = [
  gateway('gateway-charset-415', 'a Content-Type with a parameter gets 415', BODIES, TESTS.charset, 415),
  gateway('gateway-type-other-415', 'a body of another type than JSON gets 415', BODIES, isOtherType, 415),
  gateway('gateway-type-other-400', 'a body of another type than JSON gets 400', BODIES, isOtherType, 400),
  gateway('gateway-type-case-415', 'application/json in another case gets 415', BODIES, TESTS.typeCase, 415),
  gateway('gateway-accept-absent-406', 'a request without Accept gets 406', ACCEPT, TESTS.noAccept, 406),
  gateway('gateway-accept-any-406', 'Accept: */* gets 406', ACCEPT, TESTS.anyAccept, 406),
  gateway('gateway-accept-list-406', 'an Accept with several types gets 406', ACCEPT, TESTS.acceptList, 406),
  gateway(
    'gateway-agent-403',
    'a User-Agent that is not registered gets 403',
    MAY_REFUSE,
    TESTS.otherAgent,
    403,
  ),
  gateway('gateway-origin-403', 'a request with an Origin gets 403', MAY_REFUSE, TESTS.origin, 403),
  gateway('gateway-parameter-400', 'an unknown parameter gets 400', QUERY, TESTS.unknownParameter, 400),
  gateway('gateway-parameter-422', 'an unknown parameter gets 422', QUERY, TESTS.unknownParameter, 422),
  gateway('gateway-chunked-411', 'a body in chunks gets 411', LENGTH, TESTS.chunked, 411),
  gateway('gateway-escape-400', 'a needless percent-encoding gets 400', SPELLING, TESTS.escape, 400),
  gateway(
    'gateway-escape-404',
    'a path with a needless percent-encoding is unknown',
    SPELLING,
    TESTS.escapedPath,
    404,
  ),
  gateway('gateway-large-413', 'a body of more than 8 KiB gets 413', SIZE, TESTS.large, 413),
  variantOf(
    'gateway-accept-absent-html',
    'a gateway before the limiter responds to a request without Accept with an HTML page',
    ACCEPT,
    {
      around: (call, next) => (call.key === 'valid' && TESTS.noAccept(call) ? PAGE : next(call)),
    },
  ),
  variantOf(
    'gateway-strict',
    'a gateway refuses every request that the interface does not show',
    MAY_REFUSE,
    combined(refusing(isUnusualAnimal, 400), ...Object.values(TESTS).map((test) => refusing(test, 403))),
  ),
];

const SPELLED = 'Endpoints: whether a target may contain needless percent-escapes is not said';
const FORWARDED = 'Endpoints: what a header of a proxy gets that comes from a client is not said';

const isEscaped = { when: ({ target }: { target: string }) => NEEDLESS_ESCAPE.test(target) };
const isForwarded = ({ headers }: { headers: Record<string, unknown> }) => 'x-forwarded-for' in headers;

/** What is in front of a service may reject a request that means the same as another. */
export const frontVariants: readonly Variant[] = [
  ...allowedBy(SPELLED, {
    'escapes-rejected': [
      'a target with a needless escape, such as %6Cimit for limit, gets 400',
      answering(isEscaped, () => errorAnswer(400, 'bad_target', 'The target has a needless escape.')),
    ],
    'escapes-unknown': [
      'a target with a needless escape gets 404, which does not count',
      { settings: { limiter: { counts4xx: false } } },
      answering(isEscaped, () => errorAnswer(404, 'unknown_target', 'The target does not exist.')),
    ],
    'escapes-unknown-orders': [
      'a target with a needless escape gets 404, and only GET /store/orders is limited',
      { settings: { limiter: { covers: ['getStoreOrders'] } } },
      answering(isEscaped, () => errorAnswer(404, 'unknown_target', 'The target does not exist.')),
    ],
  }),
  variantOf(
    'forwarded-rejected',
    'a request with X-Forwarded-For gets 403 before it reaches the limiter',
    FORWARDED,
    {
      around: (call, next) =>
        isForwarded(call) ? errorAnswer(403, 'forwarded', 'X-Forwarded-For is not allowed.') : next(call),
    },
  ),
];
