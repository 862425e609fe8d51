/**
 * How far a search is: which observations were counted, in whichever order. Many steps are at the same place, so each is made
 * only once for an order.
 */
export class SearchPosition {
  /** The index of the first observation that was not counted yet. */
  readonly first: number;
  /** The indices of later ones that were, in their order. */
  readonly ahead: readonly number[];
  readonly #all: Map<string, SearchPosition>;
  readonly #after = new Map<number, SearchPosition>();

  private constructor(first: number, ahead: readonly number[], all: Map<string, SearchPosition>) {
    this.first = first;
    this.ahead = ahead;
    this.#all = all;
  }

  /** Before anything was counted. */
  static start(): SearchPosition {
    return new SearchPosition(0, [], new Map());
  }

  /** The place after one more was counted. @param index of one that was not counted yet */
  after(index: number): SearchPosition {
    const known = this.#after.get(index) ?? this.#placeAfter(index);
    this.#after.set(index, known);
    return known;
  }

  #placeAfter(index: number): SearchPosition {
    const done = new Set(this.ahead).add(index);
    let first = this.first;
    while (done.delete(first)) first += 1;
    const ahead = [...done].sort((one, other) => one - other);
    const key = `${first},${ahead}`;
    const place = this.#all.get(key) ?? new SearchPosition(first, ahead, this.#all);
    this.#all.set(key, place);
    return place;
  }
}
