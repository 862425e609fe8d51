import type { Contract, Credential, Schema } from '../../model/contract.ts';
import { type HeaderLine, headerValues } from '../../model/exchange.ts';
import { percentDecoded } from '../../model/http/percent-encoding.ts';
import { ownSecrets } from '../../secrets/own-secrets.ts';
import { isSecretName, isSecretParameter } from '../../secrets/secret-name.ts';

/** A comma before another scheme: what follows are other credentials, as in `Bearer a, Bearer b`. */
const NEXT_SCHEME = /,\s*(?=[\w-]+\s+[^\s=])/;

/** The secrets in Authorization headers, of which a request may have several. */
export function authorizationSecrets(lines: readonly HeaderLine[]): string[] {
  const credentials = headerValues(lines, 'Authorization').flatMap((value) => value.split(NEXT_SCHEME));
  return ownSecrets({ headers: credentials.map((value) => ['Authorization', value]) });
}

/** The secrets in a URL: its user and password, and the parameters of its query and its fragment whose names tell. */
export function urlSecrets(text: string): string[] {
  const { username, password, search, hash } = new URL(text);
  const parameters = [search, hash].flatMap((part) => parametersIn(part.slice(1)));
  // In the form in which they would be in a header, where a password is also known by itself (RFC 7617).
  const user = Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString('base64');
  return ownSecrets({
    headers: [
      ...parameters.filter(([name]) => isSecretParameter(name)),
      ...(username === '' && password === '' ? [] : [['Authorization', `Basic ${user}`] as const]),
    ],
  });
}

/** The parameters of a query. What is no UTF-8 is also as it was sent: its bytes are lost when it is decoded. */
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
 * A URL without secrets. It has no user, password and fragment, which were not sent in the request target (RFC 9110 section
 * 7.1). Its origin stays as it is, with the slash behind it: without them, the URL is none.
 * @param clean replaces the secrets of a text
 */
export function shownUrl(text: string, clean: (text: string) => string): string {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#\\]*\/?)([^#]*)/is.exec(text) ?? [];
  return origin.replace(/\/\/.*@/s, '//') + clean(rest);
}

/** Whether the whole value of a header with this name is a secret. */
export type IsSecret = (name: string) => boolean;

/**
 * Tells headers whose whole value is a secret: those in which the interface takes the key, and those whose names say so, unless
 * the interface says that a value is no secret.
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
    // The scheme before its secret is shown.
    if (lower === 'authorization') return false;
    return keys.has(lower) || (isSecretName(name) && !publics.has(lower));
  };
}

function namesOf(named: readonly { name: string }[]): Set<string> {
  return new Set(named.map(({ name }) => name.toLowerCase()));
}

/** Whether the values of a schema are no secrets: numbers, times, or values that the interface states. */
export function isPublic({ type, format = '', enum: members }: Schema): boolean {
  return (
    (type !== undefined && type !== 'string') || members !== undefined || /^(?:date|time|dura)/.test(format)
  );
}
