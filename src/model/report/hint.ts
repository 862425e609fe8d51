/** The addresses of a target, as the user gives them. */
export interface StatedAddresses {
  baseUrl: string;
  apiUrl?: string | undefined;
}

/**
 * What may be wrong with the stated addresses, if nothing at one of them responds as the service would; a cache that may have
 * responded in place of the service; or a key that cannot be hidden.
 */
export interface Hint {
  kind:
    | 'operation-path'
    | 'base-path'
    | 'swapped'
    | 'moved'
    | 'login'
    | 'unavailable'
    | 'gateway'
    | 'elsewhere'
    | 'other-base'
    | 'cache'
    | 'key-shown';
  text: string;
  /** The addresses to try instead. */
  instead?: StatedAddresses;
  /** The other options of the run, as words of its command line. */
  options?: readonly string[];
  /** Names of the headers that the user sends with every request. */
  headers?: readonly string[];
}
