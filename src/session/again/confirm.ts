import type { Exchange } from '../../model/exchange.ts';
import type { RequestCounts } from '../../model/limits/request-counts.ts';
import type { Probe } from '../../model/probe.ts';
import type { NotSent } from '../../model/report/confirmation.ts';
import { destinationOf, type Parts } from '../parts/parts.ts';
import { countsAs } from '../terms/budget.ts';
import type { ConfirmationAttempt, Confirming, Execution, FindingsAgain } from '../terms/types.ts';

/** The most requests that confirm findings, and the most of them that create something. */
export const MOST_AGAIN = 15;
const MOST_CREATED = 4;

type ConfirmingParts = Pick<
  Parts,
  'options' | 'clock' | 'operations' | 'learnt' | 'pace' | 'end' | 'budget' | 'sender' | 'transports'
>;

/**
 * Confirms findings: sends the requests that show them again, as far as the limit has room now, without waiting. Returns why
 * findings were not sent again; undefined if all were or the run ended.
 * @param execution the run so far
 * @param leaves requests of the window that are left for whoever uses the key next
 */
export async function confirm(
  execution: Execution,
  parts: ConfirmingParts,
  leaves = 1,
): Promise<Readonly<Record<string, NotSent>> | undefined> {
  const { options, end, budget } = parts;
  const { confirming } = options;
  if (!confirming || end.isReached) return undefined;
  const { reproductions, notSent } = await confirming.reproductionsOf(execution);
  budget.release();
  const confirmation = new Confirmer(parts, confirming, leaves);
  const unsent: Record<string, NotSent> = { ...notSent };
  for (const reproduction of reproductions) {
    const because = await confirmation.confirm(reproduction);
    if (because) for (const finding of reproduction.findings) unsent[finding] = because;
  }
  return end.isReached || Object.keys(unsent).length === 0 ? undefined : unsent;
}

/** Sends reproductions, as long as there is room for them. */
class Confirmer {
  readonly #parts: ConfirmingParts;
  readonly #isShown: Confirming['isShown'];
  readonly #left: RequestCounts;
  readonly #leaves: number;
  #allLeft: number = MOST_AGAIN;
  #creationsLeft: number = MOST_CREATED;

  constructor(parts: ConfirmingParts, { most, isShown }: Confirming, leaves: number) {
    this.#parts = parts;
    this.#leaves = leaves;
    this.#isShown = isShown;
    this.#left = { ...most };
  }

  /** Sends the attempts in turn, until the findings are shown. Returns why not, if no attempt was sent. */
  async confirm({ findings, attempts }: FindingsAgain): Promise<NotSent | undefined> {
    let open = findings;
    for (const [index, attempt] of attempts.entries()) {
      if (open.length === 0) return undefined;
      const exchanges = this.#hasRoom(attempt) ? await this.#send(attempt, open, index + 1) : undefined;
      if (!exchanges) return index === 0 ? this.#reasonAgainst(attempt) : undefined;
      open = open.filter((finding) => !this.#isShown(finding, exchanges));
    }
    return undefined;
  }

  #reasonAgainst({ requests }: ConfirmationAttempt): NotSent {
    const { learnt } = this.#parts;
    const kinds = requests.map(({ probe }) => learnt.reasonAgainst(probe)?.kind);
    if (kinds.includes('operation-timed-out')) return 'timed-out';
    return kinds.includes('too-many-created') ? 'too-many-created' : 'no-room';
  }

  /** Whether all requests of an attempt may be sent. */
  #hasRoom({ requests }: ConfirmationAttempt): boolean {
    const { budget, end, options } = this.#parts;
    const counts: RequestCounts = { withKey: 0, wrongKeys: 0, messages: 0 };
    for (const { probe } of requests) counts[this.#kindOf(probe)] += 1;
    const isAllowed = (['withKey', 'wrongKeys', 'messages'] as const).every(
      (kind) => counts[kind] <= Math.min(this.#left[kind], budget.left(kind)),
    );
    const created = requests.filter(({ probe }) => probe.creates).length;
    return (
      isAllowed &&
      requests.length <= this.#allLeft &&
      created <= this.#creationsLeft &&
      // Keeps time, because a run whose time is over is not complete.
      end.msLeft > requests.length * options.timeout
    );
  }

  /** Remaining of the newest response; otherwise what earlier headers and our own count say. */
  #remaining(probe: Probe, now: number): number | undefined {
    const { pace, learnt } = this.#parts;
    const to = destinationOf(probe, this.#parts);
    const newest = learnt.exchanges.findLast(({ address, key }) => address === to.address && key === 'valid');
    return newest?.rate.remaining ?? pace.remaining(to, now);
  }

  #kindOf(probe: Probe): keyof RequestCounts {
    return countsAs(destinationOf(probe, this.#parts).address, probe.key);
  }

  /** Sends the requests of an attempt. Undefined if one could not be sent, or was refused by the limit. */
  async #send(
    { form, requests }: ConfirmationAttempt,
    findings: readonly string[],
    attempt: number,
  ): Promise<readonly Exchange[] | undefined> {
    const { pace, clock, end, learnt, sender, transports } = this.#parts;
    const exchanges: Exchange[] = [];
    // Makes the texts of the requests differ from all that the run sent.
    const again = learnt.exchanges.length;
    for (const { probe, variations, variation, repeats, isJoined } of requests) {
      const now = clock.now();
      const left = this.#remaining(probe, now);
      const isFull = probe.key === 'valid' && left !== undefined && left <= this.#leaves;
      if (end.isReached || isFull || pace.closedFor(now) > 0) return undefined;
      // A user who repeats it with commands has a new connection for each.
      if (!isJoined) await transports.usual.renew();
      this.#allLeft -= 1;
      this.#left[this.#kindOf(probe)] -= 1;
      if (probe.creates) this.#creationsLeft -= 1;
      const exchange = await sender.send(probe, variation, {
        variations,
        attempt: again,
        isSpare: true,
        confirms: { findings, repeats, attempt, form },
      });
      if (!exchange || exchange.response?.status === 429) return undefined;
      exchanges.push(exchange);
    }
    return exchanges;
  }
}
