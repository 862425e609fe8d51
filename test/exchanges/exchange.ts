import type { Exchange } from '../../src/model/exchange.ts';

/** An exchange with the right key at the base address, to which no response came, unless `change` says otherwise. */
export function exchange(change: Partial<Exchange> = {}): Exchange {
  return {
    id: 1,
    probe: 'listPets:plain',
    operation: 'listPets',
    address: 'baseUrl',
    stage: 'first',
    key: 'valid',
    method: 'GET',
    url: 'http://127.0.0.1/v1/pets',
    requestHeaders: [],
    sentAt: 0,
    receivedAt: 1,
    inFlight: 1,
    rate: {},
    ...change,
  };
}
