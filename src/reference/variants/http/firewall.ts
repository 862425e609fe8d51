import type { Change } from '../../changes/change.ts';
import { answering } from '../../changes/changes.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import { type Variant, variantOf } from '../variant.ts';

const NAMES =
  'POST /pets (createPet): 400 for "invalid values"; what a firewall in front of the service does with an attack is not shown';
const QUERY = 'GET /pets (listPets): the response to parameters that are not listed is not shown';
const HEADERS = 'RFC 9110 section 15.5.4: a service may refuse to fulfill a request that it understands';

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
    (each) => each !== undefined,
  );

/** Firewalls that block quotes, markup and attacks where the interface does not promise that they pass. */
export const firewallVariants: readonly Variant[] = [
  variantOf(
    'firewall-query',
    'an unknown parameter with quotes, markup or template signs gets 403',
    QUERY,
    blocking((call) => unknownParameters(call).some((each) => SUSPICIOUS.test(each))),
  ),
  variantOf(
    'firewall-headers',
    'quotes or markup in User-Agent, Origin, Referer or Accept get 403',
    HEADERS,
    blocking((call) => describing(call).some((each) => /["'<>`]/.test(each))),
  ),
  variantOf('firewall-sql', 'a name that is an attack on a database gets 403', NAMES, blockingNames(SQL)),
  variantOf('firewall-shell', 'a name that runs a command in a shell gets 403', NAMES, blockingNames(SHELL)),
  variantOf('firewall-paths', 'a name that leads out of a folder gets 403', NAMES, blockingNames(PATHS)),
  variantOf(
    'firewall-zero',
    'a name with U+0000, a format specifier or __proto__ gets 403, also if the rest of the body is wrong',
    NAMES,
    blockingNames(/\0|%n|__proto__/),
  ),
  variantOf(
    'firewall-incident',
    'a name that is an attack gets 403 with the number of an incident, in JSON of the firewall',
    NAMES,
    answering(
      { key: 'valid', when: (call) => ATTACKS.some((attack) => attack.test(nameOf(call))) },
      ({ number }) => jsonAnswer(403, { code: 'blocked', message: `incident ${number}`, status: 403n }),
    ),
  ),
];
