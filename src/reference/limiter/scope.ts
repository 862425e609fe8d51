import type { Call } from '../http/call.ts';
import type { LimiterSettings } from '../settings.ts';

/** Whether the limiter covers this call. */
export function isCovered(call: Call, { covers }: LimiterSettings): boolean {
  return covers === 'all' || (call.operation !== undefined && covers.includes(call.operation));
}

/** How many requests this call counts as. */
export function weightOf(call: Call, { weights }: LimiterSettings): number {
  return (call.operation === undefined ? undefined : weights[call.operation]) ?? 1;
}

/** The account that this call counts toward. The service has only one key, so the key is not part of it. */
export function clientOf(call: Call, { scope, messages, apart }: LimiterSettings): string {
  const address = messages === 'separate' ? call.listener : '';
  if (call.operation !== undefined && apart.includes(call.operation)) return 'apart';
  if (scope === 'address') return `${address} ${call.address}`;
  if (scope === 'key-and-operation') return `${address} ${call.operation ?? ''}`;
  // Two operations share a path (interface: Endpoints); every animal has the path of the third.
  const isPets = call.operation === 'listPets' || call.operation === 'createPet';
  if (scope === 'key-and-path') return `${address} ${isPets ? 'pets' : (call.operation ?? '')}`;
  if (scope === 'key-and-method') return `${address} ${call.method}`;
  return address;
}
