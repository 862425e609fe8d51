/** The name of a header, a cookie, a parameter, an option or a variable whose value is a secret. */
const TELLING = new RegExp(
  [
    'authoriz|authentic|cookie|token|secret|session|passw|passphrase|credential|signature|bearer|csrf|xsrf',
    '(?:api|app|auth|access|client|license|private|secret|user)key',
    '(?:^|[^a-z])(?:auth|hmac|jwt|keys?|otp|pass|pin|pwd|sid|sig)(?![a-z])',
  ].join('|'),
  'i',
);

/** Names that join words without a separator: `storeKey`, `STOREKEY`. */
const CAMEL_CASE = /([a-z])(?=[A-Z])/g;
const UPPER_CASE = /[A-Z]KEYS?$/;

/** A name whose value only describes something: `X-Auth-Mode`, `WWW-Authenticate`. */
const DESCRIBING =
  /[_-](?:authenticate|allow-credentials|enabled|env|environment|method|mode|provider|scheme|type|version)$/i;

/** An idempotency key tells requests apart, and grants no access. */
const OF_REQUEST = /(?:^|[_-])idempotency[_-]?key$/i;

/** Parameters of an address that grant access, although their names mean other things elsewhere. */
const OF_ADDRESS = /^(?:assertion|code|saml(?:art|response)|ticket)$/i;

/** Tokens that say where the next page begins. */
const OF_PAGE = /page|next|cursor|continuation|sync/i;

/** Whether the value of a parameter with this name, in the query or the fragment of an address, is a secret. */
export function isSecretParameter(name: string): boolean {
  return (isSecretName(name) || OF_ADDRESS.test(name)) && !OF_PAGE.test(name);
}

/** Whether a value with this name is a secret. */
export function isSecretName(name: string): boolean {
  const words = name.replace(CAMEL_CASE, '$1-');
  return (TELLING.test(words) || UPPER_CASE.test(name)) && !DESCRIBING.test(words) && !OF_REQUEST.test(words);
}
