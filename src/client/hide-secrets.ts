import { randomBytes } from 'node:crypto';
import type { Contract } from '../model/contract.ts';
import type { HeaderLine, Received } from '../model/exchange.ts';
import { addressRedactor } from '../secrets/address-secrets.ts';
import { publicIn } from '../secrets/hideable.ts';
import { keySecrets, ownSecrets } from '../secrets/keys/own-secrets.ts';
import { type Redact, redactor } from '../secrets/redact.ts';
import { areTooMany, knownKeys, literalRedaction } from '../traffic/secrets/redactions.ts';
import { memberHider } from '../traffic/secrets/secret-members.ts';
import {
  authorizationSecrets,
  secretHeaders,
  shownUrl,
  urlSecrets,
} from '../traffic/secrets/sent-secrets.ts';

/** The texts of a request and its response that may hold secrets. */
interface SentTexts {
  /** Absolute. */
  url: string;
  headers: readonly HeaderLine[];
  requestBody?: string | undefined;
  response?: Received | undefined;
}

/** How one request and its response are shown. */
export interface Hiding {
  text: Redact;
  url: string;
  headers: HeaderLine[];
  requestBody?: string | undefined;
  response?: Received | undefined;
}

/** Hides secrets in the requests of one scenario. */
export interface SecretHider {
  /** Hides the key that the client was given, and nothing else: what is judged stays as it is. */
  key: Redact;
  /** Also hides the client's own secrets: a client that ignores the given key may send the key of a real service. */
  all: (sent: SentTexts) => Hiding;
}

/**
 * @param apiKey the key that the client was given
 * @param onSecret called for each secret of the client's own
 */
export function secretHider(
  contract: Contract,
  apiKey: string,
  onSecret: (secret: string) => void,
): SecretHider {
  const isPublic = publicIn(contract);
  const key = redactor(apiKey, keySecrets(apiKey, contract), isPublic);
  const withoutAddressSecrets = addressRedactor(isPublic);
  const redactKeysOf = knownKeys(isPublic);
  const isSecret = secretHeaders(contract, []);
  // The given key is shown as such, whatever the name of its field.
  const withoutMembers = memberHider(contract, randomBytes(32), (text) => text === apiKey);
  const isOwn = (secret: string) => !secret.includes(apiKey);
  const redactionOf = (headSecrets: readonly string[], bodySecrets: readonly string[]): Redact => {
    const redactKeys = redactKeysOf(headSecrets);
    const redactLiterals = literalRedaction(bodySecrets, isPublic);
    return (plain) => withoutAddressSecrets(redactLiterals(redactKeys(key(plain))));
  };
  return {
    key,
    all: (sent) => {
      const { url, headers } = sent;
      const secrets = [
        ...authorizationSecrets(headers),
        ...ownSecrets({ headers: headers.filter(([name]) => isSecret(name)) }),
        ...urlSecrets(url),
      ];
      const headSecrets = [...new Set(secrets)].filter(isOwn);
      const { shown, secrets: members } = withoutMembers(sent);
      const bodySecrets = ownSecrets({ headers: members }).filter(isOwn);
      for (const secret of [...headSecrets, ...bodySecrets]) onSecret(secret);
      const isAllHidden = areTooMany(headSecrets, bodySecrets);
      const text = isAllHidden ? () => '[hidden]' : redactionOf(headSecrets, bodySecrets);
      const line = ([name, value]: HeaderLine): HeaderLine => {
        if (/^authorization$/i.test(name)) return [name, shownAuthorization(value, apiKey)];
        return [text(name), isSecret(name) ? shownSecret(value, apiKey) : text(value)];
      };
      const { requestBody, response } = shown;
      return {
        text,
        url: shownUrl(url, text),
        headers: headers.map(line),
        requestBody: requestBody && text(requestBody),
        response: response && withoutSecrets(response, text),
      };
    },
  };
}

/** A response without secrets: it may repeat what the request had. */
function withoutSecrets(response: Received, text: Redact): Received {
  const headers = response.headers.map(([name, value]) => [name, text(value)] as const);
  return { ...response, headers, body: text(response.body) };
}

/** A scheme without credentials, such as `Bearer`. Another single word may be a key. */
const BARE_SCHEME = /^(?:basic|bearer|digest|token)?\s*$/i;

/** Shows the given key as such, because findings tell it from other keys. */
function shownAuthorization(value: string, apiKey: string): string {
  const [, scheme = '', credentials = value] = /^([\w-]+ +)(\S.*)$/s.exec(value) ?? [];
  return BARE_SCHEME.test(value) ? value : scheme + shownSecret(credentials, apiKey);
}

function shownSecret(value: string, apiKey: string): string {
  if (value === '') return '';
  return value === apiKey ? '[key]' : '[hidden]';
}
