/**
 * Whether a number is a whole multiple of another one, by their decimals: 19.99 is a multiple of 0.01, although division of doubles
 * says otherwise. A number that was read as infinite counts as a multiple, as its digits are unknown.
 * @param of finite
 */
export function isMultiple(value: number | bigint, of: number): boolean {
  if (typeof value === 'number' && !Number.isFinite(value)) return true;
  const [number, divisor] = [decimal(value), decimal(of)];
  if (divisor.digits === 0n) return false;
  const places = Math.max(number.places, divisor.places);
  return scaled(number, places) % scaled(divisor, places) === 0n;
}

interface Decimal {
  digits: bigint;
  /** How many of the digits are after the decimal point. */
  places: number;
}

function decimal(value: number | bigint): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

function scaled({ digits, places }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - places);
}
