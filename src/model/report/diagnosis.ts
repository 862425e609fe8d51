/** How every request can fail in the same manner. */
export type SameFailureKind = 'transport' | 'redirect' | 'status' | 'page';

/** Why every operation fails in the same manner, and the findings that have no other reason. */
export interface RootCause {
  /** `headers`: the same required headers are absent everywhere. */
  kind: SameFailureKind | 'headers';
  statement: string;
  /** The first line of the body that has words. */
  firstLine?: string | undefined;
  /** Ids of the exchanges that show it: the first one of each operation. */
  evidence: readonly number[];
  /** Ids of the requirements whose findings follow from it. */
  requirements: readonly string[];
}

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
