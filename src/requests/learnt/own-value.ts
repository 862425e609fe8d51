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
  const part = (start: number, end: number) => digits.slice(start, end);
  return `${part(0, 8)}-${part(8, 12)}-4${part(12, 15)}-8${part(15, 18)}-${part(18, 30)}`;
}

const DIGITS = '0123456789';

/** A text of the same length that ends with letters of this run and probe; with digits if `like` has only digits. */
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
