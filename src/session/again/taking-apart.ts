import { least } from 'd3-array';
import { type Burst, type Exchange, isSuccess, type TakenApart } from '../../model/exchange.ts';
import type { Probe, RequestVariation } from '../../model/probe.ts';
import type { Chain } from '../../probes/chains.ts';
import { plainText } from '../../probes/variations/texts.ts';
import { destinationOf, type Parts } from '../parts/parts.ts';
import { MOST_PLAIN } from '../terms/budget.ts';

/** A varied request that failed, and its plain form. */
interface FailedVariation {
  probe: Probe;
  exchange: Exchange;
  variations: readonly RequestVariation[];
  /** The requirements that it violates and its plain form does not. */
  violated: readonly string[];
}

/** A failure whose variations are known, and its first exchange. */
interface Blamed {
  taken: TakenApart & { others: number[] };
  exchange: Exchange;
}

type TakingApartParts = Pick<
  Parts,
  'options' | 'clock' | 'operations' | 'learnt' | 'pace' | 'end' | 'sender' | 'violatedBy'
>;

/**
 * Sends probes with their variations. A probe that fails is sent again plain, and dependent requests use the plain response. If
 * the plain response is right, the variation to blame is isolated and left out of the rest of the run.
 */
export class TakingApart {
  readonly taken: TakenApart[] = [];
  readonly #parts: TakingApartParts;
  #plainLeft = MOST_PLAIN;
  #isolationLeft: number;
  readonly #blamed: Blamed[] = [];
  readonly #leftOut = new Set<string>();
  /** How many kinds of texts are in a request: fewer once a service refuses texts for their length. */
  #texts: 'all' | 'one' | 'none' = 'all';
  /** The requirements that plain requests violate, and the probes that failed plain. */
  readonly #plainly = new Set<string>();
  readonly #failing = new Set<string>();
  /** The probes that create a record. */
  readonly #creations: readonly string[];
  readonly #attempts = new Map<string, number>();

  /** @param plan the probes that the run sends in any case */
  constructor(parts: TakingApartParts, plan: readonly Probe[]) {
    this.#parts = parts;
    this.#creations = plan.filter(({ creates, stage }) => creates && stage === 'create').map(({ id }) => id);
    this.#isolationLeft = parts.options.isolation ?? 0;
  }

  /** Sends a probe over the connection of its chain, and takes it apart if it fails. Returns the plain exchange, if any. */
  async send(probe: Probe, chain?: Chain): Promise<Exchange | undefined> {
    return this.received(probe, await this.sendOnce(probe, chain));
  }

  /** Sends a probe of a burst. Its failures are taken apart when all responses have come. */
  sendOnce(probe: Probe, chain?: Chain, burst?: Burst): Promise<Exchange | undefined> {
    return this.#parts.sender.send(probe, undefined, {
      variations: this.#variationsOf(probe),
      attempt: 0,
      isSpare: probe.stage === 'surplus',
      chain,
      burst,
    });
  }

  /** The variations of a probe that are not left out. Where few texts have room, a short one beyond ASCII shows the most. */
  #variationsOf({ variations = [] }: Probe): readonly RequestVariation[] {
    const wanted = variations.filter(({ id }) => !this.#leftOut.has(id));
    const texts = wanted.filter((variation) => variation.kind === 'text');
    if (this.#texts === 'all' || texts.length === 0) return wanted;
    // If it is refused as well, it is sent alone, and then plain letters as long as it.
    const isRoom = this.#texts === 'one' && this.#isolationLeft >= 2;
    const beyondAscii = texts.filter(({ text }) => /\P{ASCII}/u.test(text));
    const kept = isRoom ? least(beyondAscii, ({ text }) => Buffer.byteLength(text)) : undefined;
    return wanted.filter(({ kind, id }) => kind !== 'text' || id === kept?.id);
  }

  /** Takes a probe apart if its response is wrong. Returns the plain exchange if there is one, else the first. */
  async received(probe: Probe, exchange: Exchange | undefined): Promise<Exchange | undefined> {
    const variations = (probe.variations ?? []).filter(({ id }) => exchange?.variations?.includes(id));
    const isJudged = probe.validity === 'valid' || (probe.validity === 'open' && variations.length > 0);
    if (!exchange || !isJudged) return exchange;
    const violated = this.#parts.violatedBy(exchange);
    if (variations.length === 0) this.#notePlain(probe, violated);
    else if (violated.length > 0)
      return (await this.#takeApart(probe, exchange, variations, violated)) ?? exchange;
    return exchange;
  }

  /** Sends a failed request again plain, and isolates the variation to blame if the plain response is right. */
  async #takeApart(
    probe: Probe,
    exchange: Exchange,
    variations: readonly RequestVariation[],
    violated: readonly string[],
  ): Promise<Exchange | undefined> {
    // If no request succeeded yet, variations are not the reason.
    if (!this.#parts.learnt.exchanges.some(isSuccess)) return undefined;
    if (this.#isKnown(probe, violated)) return undefined;
    const plain = this.#plainLeft-- > 0 ? await this.#sendAgain(probe, []) : undefined;
    if (!plain || isRefused(plain)) {
      this.#blameKnown({ probe, exchange, variations, violated });
      return undefined;
    }
    const still = this.#parts.violatedBy(plain);
    this.#notePlain(probe, still);
    const gone = violated.filter((id) => !still.includes(id));
    if (gone.length === 0) this.#note(plain, [], [exchange], violated);
    else await this.#blame({ probe, exchange, variations, violated: gone });
    return plain;
  }

  #notePlain(probe: Probe, violated: readonly string[]): void {
    for (const id of violated) this.#plainly.add(id);
    if (violated.length > 0) this.#failing.add(probe.id);
  }

  /** Whether plain requests violate the same requirements, or a simpler request failed plain. */
  #isKnown({ controls }: Probe, violated: readonly string[]): boolean {
    return violated.every((id) => this.#plainly.has(id)) || controls.some((id) => this.#failing.has(id));
  }

  /** Adds a failure to a known one with the same variations. Returns whether there is one. */
  #blameKnown(failed: FailedVariation): boolean {
    const blamed = this.#blamed.find((candidate) => isSameFailure(candidate, failed));
    blamed?.taken.others.push(failed.exchange.id);
    return blamed !== undefined;
  }

  /** Finds the variations to blame, notes them, and leaves them out from now on. */
  async #blame(failed: FailedVariation): Promise<void> {
    const { exchange, variations, violated } = failed;
    if (this.#blameKnown(failed)) return;
    // A timeout is not repeated on purpose, because the operation is skipped after a few timeouts.
    const isCostly = exchange.failure?.kind === 'timeout';
    const isolated =
      this.#isolationLeft <= 0 || isCostly
        ? { shown: exchange, variations, others: [] }
        : await this.#isolate(failed);
    if (!isolated) return;
    const isTooLong = await this.#areTooLong(failed.probe, isolated);
    const taken = this.#note(isolated.shown, isolated.variations, isolated.others, violated);
    if (isolated.shown === exchange) taken.isPresumed = true;
    if (isTooLong) {
      // Their length says nothing of their characters, which a shorter text shows.
      this.#texts = this.#texts === 'all' ? 'one' : 'none';
      return;
    }
    for (const { id } of isolated.variations) this.#leftOut.add(id);
    this.#blamed.push({ taken, exchange });
  }

  /** Bisects the variations. Undefined if all together do not fail again: then something else was to blame. */
  async #isolate({ probe, exchange, variations, violated }: FailedVariation) {
    let suspects = variations;
    let shown = exchange;
    let shownWith = variations;
    const others: Exchange[] = [];
    const isTried = async (tried: readonly RequestVariation[]): Promise<boolean | undefined> => {
      if (this.#isolationLeft <= 0) return undefined;
      this.#isolationLeft -= 1;
      const again = await this.#sendAgain(probe, tried);
      if (!again || isRefused(again)) return undefined;
      const isSame = this.#parts.violatedBy(again).some((id) => violated.includes(id));
      if (!isSame) return false;
      others.push(shown);
      [shown, shownWith] = [again, tried];
      return true;
    };
    while (suspects.length > 1) {
      const half = suspects.slice(0, Math.ceil(suspects.length / 2));
      const isSame = await isTried(half);
      if (isSame === undefined) return { shown, variations: shownWith, others };
      suspects = isSame ? half : suspects.slice(half.length);
    }
    // The last suspect is left because the others did not fail, so it has to fail alone as well.
    if (shownWith.length > 1) await isTried(suspects);
    if (shown === exchange && (await isTried(variations)) === false) return undefined;
    return { shown, variations: shownWith, others };
  }

  /**
   * Whether texts are refused for their length: if they are to blame for a refusal, plain letters of the same length show whether
   * the texts were too long or had characters that the service refuses.
   */
  async #areTooLong(
    probe: Probe,
    { shown, variations }: { shown: Exchange; variations: readonly RequestVariation[] },
  ): Promise<boolean> {
    const { status = 0 } = shown.response ?? {};
    const asLong = status >= 400 && status < 500 ? plainText(variations) : undefined;
    if (!asLong || this.#isolationLeft <= 0) return false;
    this.#isolationLeft -= 1;
    const plain = await this.#sendAgain(probe, [asLong]);
    return plain?.response?.status === status;
  }

  #note(
    shown: Exchange,
    variations: readonly RequestVariation[],
    others: readonly Exchange[],
    [requirement = '']: readonly string[],
  ): Blamed['taken'] {
    const taken = {
      shownBy: shown.id,
      variations: variations.map(({ id }) => id),
      others: others.map(({ id }) => id),
      requirement,
    };
    this.taken.push(taken);
    return taken;
  }

  /** Sends a probe again, as soon as the rate limit has room. */
  async #sendAgain(probe: Probe, variations: readonly RequestVariation[]): Promise<Exchange | undefined> {
    const { pace, clock, end, learnt, sender } = this.#parts;
    // Planned creations come first, because nothing that is created can be deleted.
    const isDue = (id: string) => !learnt.exchanges.some((exchange) => exchange.probe === id);
    if (probe.creates && learnt.creations.left <= this.#creations.filter(isDue).length + 1) return undefined;
    const { ms, why } = pace.wait(destinationOf(probe, this.#parts), clock.now());
    if (ms > 0 && (await end.waitFor(ms, why))) return undefined;
    const attempt = (this.#attempts.get(probe.id) ?? 0) + 1;
    this.#attempts.set(probe.id, attempt);
    return sender.send(probe, undefined, { variations, attempt });
  }
}

/** Whether a failure is the same as a known one, by its variations, its requirement, or its wrong status. */
function isSameFailure({ taken, exchange }: Blamed, failed: FailedVariation): boolean {
  const { status } = failed.exchange.response ?? {};
  return (
    taken.variations.every((id) => failed.variations.some((variation) => variation.id === id)) ||
    failed.violated.includes(taken.requirement) ||
    (exchange.operation === failed.exchange.operation &&
      !isSuccess(exchange) &&
      status === exchange.response?.status)
  );
}

/** Whether the rate limit refused a request, which then shows nothing. */
function isRefused({ response }: Exchange): boolean {
  return response?.status === 429;
}
