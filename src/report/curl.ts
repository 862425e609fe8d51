import type { Exchange } from '../session/exchange.ts';

/**
 * A shell command that repeats the request of an exchange.
 * @param isInsecure whether certificates are not verified
 * @param variable the environment variable that the key comes from: a name that a shell takes for nothing else
 */
export function curlOf(exchange: Exchange, isInsecure = false, variable = 'PETSPEC_API_KEY'): string {
  const { method, url, requestHeaders, requestBody } = exchange;
  const parts = [isInsecure ? 'curl -i --insecure' : 'curl -i'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  for (const [name, value] of requestHeaders) {
    if (name === 'user-agent' || name === 'accept-encoding') continue;
    // The key's variable has to be expanded by the shell: double quotes. Everything else is taken as it is.
    parts.push(
      name === 'authorization'
        ? `-H "Authorization: ${value.replaceAll('PETSPEC_API_KEY', variable)}"`
        : `-H ${quoted(`${name}: ${value}`)}`,
    );
  }
  if (requestBody !== undefined) parts.push(`--data-raw ${quoted(requestBody)}`);
  return [...parts, quoted(url)].join(' ');
}

/** A word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
