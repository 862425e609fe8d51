import type { Call } from '../http/call.ts';
import type { LimiterSettings } from '../settings.ts';

/** Whether the limiter may refuse and count this call. */
export function isCovered(call: Call, { covers }: LimiterSettings): boolean {
  return covers === 'all' || (call.operation !== undefined && covers.includes(call.operation));
}

/** What this call is counted with. The service knows one key, which needs no name. */
export function clientOf(call: Call, { scope, messages }: LimiterSettings): string {
  const address = messages === 'separate' ? call.listener : '';
  if (scope === 'address') return `${address} ${call.address}`;
  if (scope === 'key-and-operation') return `${address} ${call.operation ?? ''}`;
  return address;
}
