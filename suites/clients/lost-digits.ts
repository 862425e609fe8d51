const TWO_53 = 2n ** 53n;

/** Smaller numbers of 32 bits may be ids that a client knows from elsewhere. */
const LEAST_32_BITS = 10_000n;

/** What becomes of an id in a client that does not keep all of its digits. */
export interface Lost {
  value: bigint;
  /** What the client took the id for. */
  as: string;
}

/** The other values that number types make of an id beyond 2^53. */
export function lostForms(id: bigint): Lost[] {
  const size = id < 0n ? -id : id;
  const forms = [
    ...limitedTo(53, id).map((value) => ({ value, as: 'a floating-point number' })),
    ...limitedTo(24, id).map((value) => ({ value, as: 'a floating-point number of 32 bits' })),
    { value: BigInt(Number(id)), as: 'a floating-point number' },
    { value: BigInt(Math.fround(Number(id))), as: 'a floating-point number of 32 bits' },
    ...[14, 15, 16, 17].flatMap((digits) =>
      withDigits(digits, id).map((value) => ({ value, as: `a number of ${digits} digits` })),
    ),
    ...[BigInt.asIntN(32, id), BigInt.asUintN(32, id)]
      .filter((value) => value >= LEAST_32_BITS || -value >= LEAST_32_BITS)
      .map((value) => ({ value, as: 'a number of 32 bits' })),
    ...[TWO_53 - 1n, TWO_53].map((value) => ({
      value: id < 0n ? -value : value,
      as: 'a number that is 2^53 at most',
    })),
  ];
  return size <= TWO_53 ? [] : forms.filter(({ value }) => value !== id);
}

/** An id cut off after so many bits. */
function limitedTo(bits: number, id: bigint): bigint[] {
  const surplus = (id < 0n ? -id : id).toString(2).length - bits;
  const unit = 2n ** BigInt(Math.max(0, surplus));
  return [id - (id % unit)];
}

/** An id rounded to so many decimal digits, as it is and as a double, and cut off after them. */
function withDigits(digits: number, id: bigint): bigint[] {
  const surplus = String(id < 0n ? -id : id).length - digits;
  if (surplus <= 0) return [];
  const unit = 10n ** BigInt(surplus);
  const cut = id - (id % unit);
  const half = id < 0n ? -unit / 2n : unit / 2n;
  const rounded = id + half - ((id + half) % unit);
  return [cut, rounded, BigInt(Number(rounded))];
}
