import type { Change } from '../../changes/change.ts';
import { answering, combined } from '../../changes/changes.ts';
import { type Answer, errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import { NEEDLESS_ESCAPE } from '../../http/needless-escape.ts';
import { type Variant, variantOf } from '../variant.ts';
import { ATTACKS } from './firewall.ts';

const BODIES =
  'What the service does: "All request and response bodies are JSON (`application/json`)", without parameters or another spelling';
const ACCEPT = 'RFC 9110 section 12.5.1: a service may respond with 406 to an Accept that it does not serve';
const AGENT = 'RFC 9110 section 15.5.4: a service may refuse to fulfill a request that it understands';
const QUERY = 'GET /pets (listPets): the response to parameters that are not listed is not shown';
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

/** Gateways that refuse what the interface does not show, one thing each, and one that refuses all of it. */
export const gatewayVariants: readonly Variant[] = [
  gateway('gateway-charset-415', 'a Content-Type with a parameter gets 415', BODIES, TESTS.charset, 415),
  gateway('gateway-type-other-415', 'a body of another type than JSON gets 415', BODIES, isOtherType, 415),
  gateway('gateway-type-other-400', 'a body of another type than JSON gets 400', BODIES, isOtherType, 400),
  gateway('gateway-type-case-415', 'application/json in another case gets 415', BODIES, TESTS.typeCase, 415),
  gateway('gateway-accept-absent-406', 'a request without Accept gets 406', ACCEPT, TESTS.noAccept, 406),
  gateway('gateway-accept-any-406', 'Accept: */* gets 406', ACCEPT, TESTS.anyAccept, 406),
  gateway('gateway-accept-list-406', 'an Accept with several types gets 406', ACCEPT, TESTS.acceptList, 406),
  gateway('gateway-agent-403', 'a User-Agent that is not registered gets 403', AGENT, TESTS.otherAgent, 403),
  gateway('gateway-origin-403', 'a request with an Origin gets 403', AGENT, TESTS.origin, 403),
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
    AGENT,
    combined(refusing(isUnusualAnimal, 400), ...Object.values(TESTS).map((test) => refusing(test, 403))),
  ),
];
