import type { Contract, Credential, Schema } from '../../model/contract.ts';
import { type HeaderLine, headerValues } from '../../model/exchange.ts';
import { percentDecoded } from '../../model/http/percent-encoding.ts';
import { ownSecrets } from '../../secrets/keys/own-secrets.ts';
import { isSecretName, isSecretParameter } from '../../secrets/secret-name.ts';

/** A comma before another scheme, as in `Bearer a, Bearer b`. */
const NEXT_SCHEME = /,\s*(?=[\w-]+\s+[^\s=])/;

/** The secrets in Authorization headers, of which a request may have several. */
export function authorizationSecrets(lines: readonly HeaderLine[]): string[] {
  const credentials = headerValues(lines, 'Authorization').flatMap((value) => value.split(NEXT_SCHEME));
  return ownSecrets({ headers: credentials.map((value) => ['Authorization', value]) });
}

/** The secrets in a URL: user, password, and parameters of the query and the fragment with secret names. */
export function urlSecrets(text: string): string[] {
  const { username, password, search, hash } = new URL(text);
  const parameters = [search, hash].flatMap((part) => parametersIn(part.slice(1)));
  // As in an Authorization header, where the password is a secret by itself as well (RFC 7617).
  const user = Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString('base64');
  return ownSecrets({
    headers: [
      ...parameters.filter(([name]) => isSecretParameter(name)),
      ...(username === '' && password === '' ? [] : [['Authorization', `Basic ${user}`] as const]),
    ],
  });
}

/** The parameters of a query. A value that is not UTF-8 is returned undecoded as well, as decoding loses its bytes. */
function parametersIn(query: string): HeaderLine[] {
  return query.split('&').flatMap((pair) => {
    const decoded = [...new URLSearchParams(pair)];
    const sent = pair.slice(pair.indexOf('=') + 1);
    return decoded.flatMap(([name, value]): HeaderLine[] =>
      value.includes('\ufffd')
        ? [
            [name, value],
            [name, sent],
          ]
        : [[name, value]],
    );
  });
}

/**
 * A URL without secrets. User, password and fragment are not sent in the request target (RFC 9110 section 7.1), so they go. The
 * origin and the slash behind it stay, so that the URL is valid.
 * @param clean replaces the secrets of a text
 */
export function shownUrl(text: string, clean: (text: string) => string): string {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#\\]*\/?)([^#]*)/is.exec(text) ?? [];
  return origin.replace(/\/\/.*@/s, '//') + clean(rest);
}

/** Whether the whole value of a header with this name is a secret. */
export type IsSecret = (name: string) => boolean;

/**
 * Tells headers whose whole value is a secret: those that take the key, and those with a secret name, unless the interface says
 * that the value is public.
 * @param places where the interface takes the key
 */
export function secretHeaders({ operations }: Contract, places: readonly Credential[]): IsSecret {
  const keys = namesOf(places.filter((place) => place.in === 'header'));
  const publics = namesOf(
    operations
      .flatMap(({ parameters, responses }) => [
        ...parameters.filter((parameter) => parameter.in === 'header'),
        ...responses.flatMap(({ headers }) => headers),
      ])
      .filter(({ schema }) => isPublic(schema)),
  );
  return (name) => {
    const lower = name.toLowerCase();
    // The scheme before the secret is shown.
    if (lower === 'authorization') return false;
    return keys.has(lower) || (isSecretName(name) && !publics.has(lower));
  };
}

function namesOf(named: readonly { name: string }[]): Set<string> {
  return new Set(named.map(({ name }) => name.toLowerCase()));
}

/** Whether the values of a schema are public: numbers, times, or members of an enumeration. */
export function isPublic({ type, format = '', enum: members }: Schema): boolean {
  return (
    (type !== undefined && type !== 'string') || members !== undefined || /^(?:date|time|dura)/.test(format)
  );
}
