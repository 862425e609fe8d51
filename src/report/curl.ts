import type { Exchange } from '../session/exchange.ts';

/**
 * A shell command that repeats the request of an exchange; the key comes from the variable PETSPEC_API_KEY.
 * @param isInsecure whether certificates are not verified
 */
export function curlOf(exchange: Exchange, isInsecure = false): string {
  const { method, url, requestHeaders, requestBody } = exchange;
  const parts = [isInsecure ? 'curl -i --insecure' : 'curl -i'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  for (const [name, value] of requestHeaders) {
    if (name === 'user-agent' || name === 'accept-encoding') continue;
    // The key's variable has to be expanded by the shell: double quotes. Everything else is taken as it is.
    parts.push(
      name === 'authorization' ? `-H "Authorization: ${value}"` : `-H ${quoted(`${name}: ${value}`)}`,
    );
  }
  if (requestBody !== undefined) parts.push(`--data-raw ${quoted(requestBody)}`);
  return [...parts, quoted(url)].join(' ');
}

/** A word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
