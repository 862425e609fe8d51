import type { Connection } from './connect.ts';

/** A place for one connection at a time to an origin. */
export interface Slot {
  readonly origin: string;
  connection: Connection;
  isBusy: boolean;
  /** What its connection is kept for between two requests. */
  holder?: object | undefined;
  /** Responses over the present connection. */
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
   * A slot that is free, marked as busy: whoever acquires it marks it as free again. With a holder it is the one that is
   * kept for the holder, or kept for it from now on.
   */
  acquire(origin: string, holder?: object): Slot {
    const free = this.#slots.filter((each) => each.origin === origin && !each.isBusy);
    const kept = holder && free.find((each) => each.holder === holder);
    const slot = kept ?? free.find((each) => each.holder === undefined) ?? this.#open(origin);
    slot.isBusy = true;
    slot.holder = holder;
    return slot;
  }

  #open(origin: string): Slot {
    const slot: Slot = { origin, connection: this.#connect(origin), isBusy: true, served: 0 };
    this.#slots.push(slot);
    return slot;
  }

  /** Keeps no slot for this holder any more. */
  release(holder: object): void {
    for (const slot of this.#slots) if (slot.holder === holder) slot.holder = undefined;
  }

  /** Gives a slot a fresh connection; the caller ends the old one. */
  reopen(slot: Slot): void {
    slot.connection = this.#connect(slot.origin);
    slot.served = 0;
  }

  /**
   * Replaces the connection of a slot, which must be idle: ending it cuts nothing off. The slot has the fresh one at once,
   * and the promise is that the old one has ended.
   */
  async renew(slot: Slot): Promise<void> {
    const { connection } = slot;
    this.reopen(slot);
    await connection.destroy().catch(() => {});
  }

  async renewIdle(): Promise<void> {
    const idle = this.#slots.filter(({ isBusy }) => !isBusy);
    await Promise.all(idle.map((each) => this.renew(each)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#slots.map(({ connection }) => connection.destroy().catch(() => {})));
  }
}
