import { hash } from 'node:crypto';
import { type Late, OWN_LENGTH, OWN_LETTERS } from '../../model/probe.ts';

/** A value that no other run or probe sends. @param run a random number that marks the run */
export function ownValue(late: Extract<Late, { late: 'own' }>, run: bigint): unknown {
  switch (late.as) {
    case 'text':
      return ownText(late.like, run, late.of);
    case 'email':
      return `${ownText(`petspec-${'x'.repeat(OWN_LENGTH)}`, run, late.of)}@example.com`;
    case 'uuid':
      return uuidFrom(digestOf(run, late.of).toString('hex'));
    case 'number':
      return ownNumber(run, late.of);
    case 'one-of':
      return late.texts[ownNumber(run, late.of) % late.texts.length];
  }
}

/** A UUID of version 4, variant 1 (RFC 9562 section 5.4). @param digits hexadecimal, 30 or more */
export function uuidFrom(digits: string): string {
  const [a, b, c, d, e] = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 15),
    digits.slice(15, 18),
    digits.slice(18, 30),
  ];
  return `${a}-${b}-4${c}-8${d}-${e}`;
}

const DIGITS = '0123456789';

/** A text of the same length that ends with letters of this run and probe, or with digits if it has nothing else. */
function ownText(like: string, run: bigint, probe: string): string {
  const characters = [...like];
  const alphabet = /^\d+$/.test(like) ? DIGITS : OWN_LETTERS;
  const letters = [...digestOf(run, probe).subarray(0, OWN_LENGTH)].map(
    (byte) => alphabet[byte % alphabet.length],
  );
  return [...characters.slice(0, -OWN_LENGTH), ...letters.slice(0, characters.length)].join('');
}

function ownNumber(run: bigint, probe: string): number {
  return digestOf(run, probe).readUInt32BE(OWN_LENGTH);
}

function digestOf(run: bigint, probe: string): Buffer {
  return hash('sha256', `${run} ${probe}`, 'buffer');
}
