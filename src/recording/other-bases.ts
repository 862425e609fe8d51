import type { Contract } from '../model/contract.ts';
import type { Classified } from '../traffic/classify.ts';
import type { Servers } from '../traffic/match-operation.ts';
import type { Recorded } from './recorded.ts';
import { baseOfOwn, basesOf } from './servers.ts';

/** So many base URLs are told apart. */
const MAX_BASES = 100;

/** A base URL that the user did not name, and how many requests are for the interface there. */
export interface OtherBase {
  base: string;
  requests: number;
}

/** Finds the base URL that recordings are about if they have nothing at the one that the user named. */
export class OtherBases {
  readonly #contract: Contract;
  readonly #counts = new Map<string, number>();
  readonly #named: string | undefined;
  #isUseful: boolean;

  constructor(contract: Contract, named: Servers) {
    this.#contract = contract;
    this.#named = named.baseUrl;
    this.#isUseful = named.baseUrl !== undefined;
  }

  /** Takes a request before it is told whether it is for a named server. */
  add(recorded: Recorded): void {
    if (!this.#isUseful) return;
    const own = baseOfOwn(this.#contract, recorded);
    const all = own ? [own] : basesOf(this.#contract, recorded);
    const bases = all.filter(({ address, base }) => address === 'baseUrl' && base !== this.#named);
    for (const base of new Set(bases.map((each) => each.base))) {
      const count = this.#counts.get(base) ?? 0;
      if (count > 0 || this.#counts.size < MAX_BASES) this.#counts.set(base, count + 1);
    }
  }

  /** Takes an exchange that is judged: one below the named base URL shows that it is the right one. */
  addJudged({ operation, isMisplaced }: Classified): void {
    if (operation?.address === 'baseUrl' && !isMisplaced) this.#isUseful = false;
  }

  /** The base URL that most requests are for, if none is at the named one. */
  result(): OtherBase | undefined {
    const [first] = [...this.#counts].sort(([, one], [, other]) => other - one);
    return first && this.#isUseful ? { base: first[0], requests: first[1] } : undefined;
  }
}
