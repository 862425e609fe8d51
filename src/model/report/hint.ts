/** The addresses of a target, as the user gives them. */
export interface StatedAddresses {
  baseUrl: string;
  apiUrl?: string;
}

/** What may be wrong with the stated addresses, if nothing at one of them responds as the service would. */
export interface Hint {
  kind: 'operation-path' | 'base-path' | 'swapped' | 'moved' | 'login' | 'gateway' | 'other-base';
  text: string;
  /** The addresses to try instead. */
  instead?: StatedAddresses;
}
