import { Duplex } from 'node:stream';

/**
 * One end of a connection in memory. It carries the same bytes as a socket, without the operating system, and like those of
 * a socket they arrive in a later turn of the event loop: requests that are sent together are in flight together. The rest
 * of what node:http and undici expect of a socket has no effect here.
 */
export class PairedStream extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  #peer: PairedStream | undefined;
  /** Continues a write of the peer, which waits until this end has been read. */
  #onDrained: (() => void) | undefined;

  /** Two connected ends. What is written to one can be read from the other. */
  static pair(): readonly [PairedStream, PairedStream] {
    const [left, right] = [new PairedStream(), new PairedStream()];
    left.#peer = right;
    right.#peer = left;
    return [left, right];
  }

  override _read(): void {
    const resume = this.#onDrained;
    this.#onDrained = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error) => void): void {
    setImmediate(() => {
      const peer = this.#peer;
      if (!peer || peer.destroyed) callback(closed());
      else if (peer.push(chunk)) callback();
      else peer.#onDrained = callback;
    });
  }

  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'utf8', callback);
  }

  override _final(callback: () => void): void {
    setImmediate(() => {
      this.#endPeer();
      callback();
    });
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#onDrained?.();
    setImmediate(() => this.#endPeer());
    callback(error);
  }

  #endPeer(): void {
    const peer = this.#peer;
    if (peer && !peer.destroyed && !peer.readableEnded) peer.push(null);
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** The other end is closed. */
function closed(): Error {
  return Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
}
