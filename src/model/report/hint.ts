/** The addresses of a target, as its user states them. */
export interface Addresses {
  baseUrl: string;
  apiUrl?: string;
}

/** What may be wrong with what the user stated, where nothing at an address answers as the service would. */
export interface Hint {
  kind: 'operation-path' | 'base-path' | 'swapped' | 'moved' | 'login' | 'gateway';
  text: string;
  /** What to state instead. */
  instead?: Addresses;
}
