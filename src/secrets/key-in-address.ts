import { percentDecoded } from '../model/http/percent-encoding.ts';
import { UsageError } from '../model/usage-error.ts';

/** Words, and what is this short, may be in an address by chance. */
const WORDS = /^[a-z._-]*$/i;
const SHORT = 7;

/**
 * Refuses an address with the key in its path, in either case or percent-encoded: reports name the addresses of a run. A host is
 * public by itself.
 * @param addresses by the words that the message names them with
 * @throws UsageError that does not quote the address
 */
export function refuseKeyInAddress(
  key: string | undefined,
  addresses: Readonly<Record<string, string | undefined>>,
): void {
  if (key === undefined || key.length <= SHORT || WORDS.test(key)) return;
  const isIn = (text: string) => text.toLowerCase().includes(key.toLowerCase());
  for (const [name, address] of Object.entries(addresses)) {
    const path = address === undefined ? '' : new URL(address).pathname;
    if (isIn(path) || isIn(percentDecoded(path)))
      throw new UsageError(
        `${name}: the address contains the API key, which every report would show; use one without it`,
      );
  }
}
