import { wordsOf } from '../contract/words.ts';
import type { Contract } from '../model/contract.ts';
import type { HeaderLine } from '../model/exchange.ts';
import { keySecrets, ownSecrets } from '../session/secrets/own-secrets.ts';
import { type Redact, redactor } from '../session/secrets/redact.ts';
import { knownKeys } from '../traffic/secrets/known-keys.ts';
import { secretHeaders } from '../traffic/secrets/secret-headers.ts';
import { authorizationSecrets, shownUrl, urlSecrets } from '../traffic/secrets/sent-secrets.ts';

/** What a request has that may be secret. */
interface Sent {
  /** Absolute. */
  url: string;
  headers: readonly HeaderLine[];
}

/** How one request and its response are shown. */
export interface Hiding {
  text: Redact;
  url: string;
  headers: HeaderLine[];
}

/** Hides secrets in the requests of one scenario. */
export interface SecretHider {
  /** Hides the key that the client was given, and nothing else: what is judged stays as it is. */
  key: Redact;
  /** Also hides the client's own secrets: a client that ignores the given key may send one of a real service. */
  all: (sent: Sent, texts: () => string) => Hiding;
}

/** @param apiKey the key that the client was given */
export function secretHider(contract: Contract, apiKey: string): SecretHider {
  const words = wordsOf(contract);
  const key = redactor(apiKey, keySecrets(apiKey, contract), words);
  const keys = knownKeys(words);
  const isSecret = secretHeaders(contract, []);
  return {
    key,
    all: ({ url, headers }, texts) => {
      const secrets = [
        ...authorizationSecrets(headers),
        ...ownSecrets({ headers: headers.filter(([name]) => isSecret(name)) }),
        ...urlSecrets(url),
      ];
      const own = [...new Set(secrets)].filter((each) => !each.includes(apiKey));
      const redactOwn = keys.redactionFor(own, texts);
      const text = (plain: string) => redactOwn(key(plain));
      const shown = ([name, value]: HeaderLine): HeaderLine => {
        if (/^authorization$/i.test(name)) return [name, shownAuthorization(value, apiKey)];
        return [text(name), isSecret(name) ? shownSecret(value, apiKey) : text(value)];
      };
      return { text, url: shownUrl(url, text), headers: headers.map(shown) };
    },
  };
}

/** A scheme without credentials, such as `Bearer`. Another single word may be a key. */
const BARE_SCHEME = /^(?:basic|bearer|digest|token)?\s*$/i;

/** The given key is told from others, which the findings are about. */
function shownAuthorization(value: string, apiKey: string): string {
  const [, scheme = '', credentials = value] = /^([\w-]+ +)(\S.*)$/s.exec(value) ?? [];
  return BARE_SCHEME.test(value) ? value : scheme + shownSecret(credentials, apiKey);
}

function shownSecret(value: string, apiKey: string): string {
  if (value === '') return '';
  return value === apiKey ? '[key]' : '[hidden]';
}
