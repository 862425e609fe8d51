import type { Outgoing } from '../../requests/request.ts';
import { Transport, type TransportOptions, type TransportResult } from '../http/transport.ts';
import { limitMemory } from './memory-limit.ts';
import type { SessionOptions } from './types.ts';

/** The connections of a run, whose responses together take up limited memory. */
export class Transports {
  /** Stopped by an interruption and by the end of the run. */
  readonly usual: Transport;
  readonly #memory = limitMemory();
  readonly #options: TransportOptions;
  readonly #steady: Transport[] = [];

  /** @param until ms since the epoch: the end of the run */
  constructor({ clock, timeout, network, dial, signal }: SessionOptions, until: number) {
    this.#options = {
      clock,
      timeout,
      room: this.#memory.room,
      network,
      dial,
    };
    this.usual = new Transport({ ...this.#options, until, signal });
  }

  /** A transport that nothing stops, because a request that creates something has to learn its id. */
  steady(timeout = this.#options.timeout): Transport {
    const transport = new Transport({ ...this.#options, timeout: Math.min(timeout, this.#options.timeout) });
    this.#steady.push(transport);
    return transport;
  }

  /** Sends a request, and keeps as much of its response as there is room for. */
  async send(
    transport: Transport,
    request: Outgoing,
    mayRepeat: () => boolean,
    holder?: object,
  ): Promise<TransportResult> {
    return this.#memory.keep(await transport.send(request, mayRepeat, holder));
  }

  async close(): Promise<void> {
    await Promise.all([this.usual, ...this.#steady].map((transport) => transport.close()));
  }
}
