/** The addresses of a target, as the user gives them. */
export interface Addresses {
  baseUrl: string;
  apiUrl?: string;
}

/** What may be wrong with an address, if nothing there answers like the service. */
export interface Hint {
  kind: 'operation-path' | 'base-path' | 'swapped' | 'moved' | 'login' | 'gateway';
  text: string;
  /** The addresses to try instead. */
  instead?: Addresses;
}
