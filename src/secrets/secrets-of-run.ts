import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { readLimitOf } from '../model/limits/rate-limit.ts';
import { exchangeHider } from './hide-exchange.ts';
import { isHideable, publicIn } from './hideable.ts';
import { keySecrets, ownSecrets, type UserSecrets } from './keys/own-secrets.ts';
import { type Redact, redactor, withNearKeys } from './redact.ts';

/** The secrets that a run sends, and its addresses. */
export interface SentByRun extends UserSecrets {
  apiKey: string;
  /** Keys of the run that are no longer sent. */
  formerKeys?: readonly string[];
  /** The valid key of another user. */
  secondKey?: string | undefined;
  /** Keys that requests need together, by their schemes. */
  keys?: Readonly<Record<string, string>> | undefined;
  /** The keys of another user, by their schemes. */
  secondKeys?: Readonly<Record<string, string>> | undefined;
  baseUrl: string;
  apiUrl?: string | undefined;
  servers?: Readonly<Record<string, string>> | undefined;
}

/** Hides the secrets of a run. */
export interface RunSecrets {
  hide: (exchange: Exchange) => Exchange;
  redact: Redact;
  /** Whether the key is too short or too common to be hidden. */
  isKeyShown: boolean;
}

/** The last secrets for an interface: their patterns are large, and consecutive runs may have the same secrets. */
const lastSecrets = new WeakMap<Contract, { inputs: unknown; secrets: RunSecrets }>();

export function secretsOfRun(contract: Contract, sent: SentByRun): RunSecrets {
  const { apiKey, formerKeys = [], secondKey, baseUrl, apiUrl = '', servers = {} } = sent;
  const named = [sent.keys, sent.secondKeys].flatMap((keys) => Object.values(keys ?? {}));
  const keys = [...formerKeys, ...(secondKey === undefined ? [] : [secondKey]), ...named];
  const secretsOfKeys = keys.flatMap((key) => [...withNearKeys(key), ...keySecrets(key, contract)]);
  const otherSecrets = [...secretsOfKeys, ...keySecrets(apiKey, contract), ...ownSecrets(sent)];
  const addresses = [baseUrl, apiUrl, ...Object.values(servers)];
  const inputs = [apiKey, otherSecrets, addresses];
  const last = lastSecrets.get(contract);
  if (last && isDeepStrictEqual(last.inputs, inputs)) return last.secrets;
  const isPublic = publicIn(contract, addresses);
  const hide = exchangeHider(apiKey, otherSecrets, isPublic);
  const secrets = {
    hide: (exchange: Exchange) => withOwnRate(hide(exchange), exchange, contract),
    redact: redactor(apiKey, otherSecrets, isPublic),
    isKeyShown: apiKey !== '' && !isHideable(apiKey, isPublic),
  };
  lastSecrets.set(contract, { inputs, secrets });
  return secrets;
}

/** Reads the rate limit again from headers whose secrets are hidden. */
function withOwnRate(hidden: Exchange, received: Exchange, contract: Contract): Exchange {
  const { response, receivedAt } = hidden;
  if (hidden === received || !response) return hidden;
  return { ...hidden, rate: readLimitOf(contract)(response.headers, receivedAt) };
}
