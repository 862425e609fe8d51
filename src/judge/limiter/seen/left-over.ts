import { pairs } from 'd3-array';
import type { Exchange } from '../../../model/exchange.ts';
import { usesUpLimit } from '../../../model/probe.ts';
import type { Evidence } from '../../evidence/check.ts';
import type { Judged } from '../../evidence/judged.ts';

/**
 * How many requests are left, if the last one took some off. Else, if any are, others of its address may have taken some off,
 * or some may have come back: nothing says which requests a limit covers (interface: Rate limit headers).
 */
export function leftOver(sent: readonly Judged[], { judged }: Evidence): number | undefined {
  const told = remainingIn(sent);
  const [before = 0, last = 0] = [told.at(-2), told.at(-1)];
  if (last < before) return last;
  const others = judged.filter(({ probe: { key, stage }, exchange: { address } }) => {
    return key === 'valid' && address === 'baseUrl' && !usesUpLimit(stage);
  });
  return last > 0 && (isFalling(sent) || isFalling(others)) ? last : undefined;
}

/** Whether the requests took off all that were left. */
export function isUsedUp(sent: readonly Judged[]): boolean {
  return remainingIn(sent).at(-1) === 0 && isFalling(sent);
}

function isFalling(judged: readonly Judged[]): boolean {
  const told = remainingIn(judged);
  return told.some((left, index) => left < (told[index - 1] ?? left));
}

function isCounting({ key, address, rate }: Exchange): boolean {
  return key === 'valid' && address === 'baseUrl' && rate.remaining !== undefined;
}

/** Whether requests that use up the limit came back with a later Reset. */
export function isRenewed({ judged }: Evidence): boolean {
  const using = judged.filter(({ probe, exchange }) => usesUpLimit(probe.stage) && isCounting(exchange));
  return pairs(using).some(
    ([{ exchange: before }, { exchange: after }]) =>
      Number(after.rate.remaining) > Number(before.rate.remaining) &&
      Number(after.rate.reset) > Number(before.rate.reset),
  );
}

/** What Remaining said in each of them. */
function remainingIn(judged: readonly Judged[]): number[] {
  return judged.flatMap(({ exchange }) => exchange.rate.remaining ?? []);
}
