import type { Connection } from './connect.ts';

/** A place for one connection at a time to an origin. */
export interface Slot {
  readonly origin: string;
  connection: Connection;
  isBusy: boolean;
  /** The connection is reserved for this holder between its requests. */
  holder?: object | undefined;
  /** Responses that came over the present connection. */
  served: number;
}

/** The connections of a transport, each used for one request at a time. */
export class ConnectionPool {
  readonly #connect: (origin: string) => Connection;
  readonly #slots: Slot[] = [];

  constructor(connect: (origin: string) => Connection) {
    this.#connect = connect;
  }

  /**
   * Returns a free slot, marked as busy; the caller marks it as free again. With a holder, it is the slot that is reserved for
   * the holder, or that is reserved from now on.
   */
  acquire(origin: string, holder?: object): Slot {
    const free = this.#slots.filter((slot) => slot.origin === origin && !slot.isBusy);
    const reserved = holder && free.find((slot) => slot.holder === holder);
    const slot = reserved ?? free.find((candidate) => candidate.holder === undefined) ?? this.#open(origin);
    slot.isBusy = true;
    slot.holder = holder;
    return slot;
  }

  #open(origin: string): Slot {
    const slot: Slot = { origin, connection: this.#connect(origin), isBusy: true, served: 0 };
    this.#slots.push(slot);
    return slot;
  }

  /** Ends the reservation for this holder. */
  release(holder: object): void {
    for (const slot of this.#slots) if (slot.holder === holder) slot.holder = undefined;
  }

  /** Gives a slot a fresh connection; the caller ends the old one. */
  reopen(slot: Slot): void {
    slot.connection = this.#connect(slot.origin);
    slot.served = 0;
  }

  /** Replaces the connection of an idle slot at once; the promise resolves when the old connection has ended. */
  async renew(slot: Slot): Promise<void> {
    const { connection } = slot;
    this.reopen(slot);
    await connection.destroy().catch(() => {});
  }

  async renewIdle(): Promise<void> {
    const idle = this.#slots.filter(({ isBusy }) => !isBusy);
    await Promise.all(idle.map((slot) => this.renew(slot)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#slots.map(({ connection }) => connection.destroy().catch(() => {})));
  }
}
