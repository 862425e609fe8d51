import { counted } from '../../model/report/report.ts';
import type { Sent } from './sent-request.ts';
import { isCreation, type Run, stepsOf } from './steps.ts';

/** What a script sends at the most. */
export interface Cost {
  sent: readonly { request: Sent; times: number }[];
  /** Whether it goes on to the limit. */
  usesUpLimit?: boolean;
}

/** Requests from which on a user of the Free plan notices. */
const MANY = 8;

/** What a script costs that sends these, with what they need, so many times. */
export function allOf(requests: readonly Sent[], run: Run, times = 1): Cost['sent'] {
  return stepsOf(requests, run).steps.map(({ request }) => ({ request, times }));
}

/** What a script costs that sends one request so many times, and once what it needs. */
export function many(request: Sent, times: number, run: Run): Cost['sent'] {
  return [...allOf([request], run).slice(0, -1), { request, times }];
}

/** What whoever runs a script has to know before: what it adds, and what it uses up. */
export function warningOf({ sent, usesUpLimit = false }: Cost, run: Run): string | undefined {
  const total = (each: Cost['sent']) => each.reduce((sum, { times }) => sum + times, 0);
  const creations = sent.filter(({ request }) => isCreation(request, run));
  // What was refused adds something only where it is no longer refused.
  const isRefused = ({ request: { status = 0 } }: Cost['sent'][number]) => status >= 400 && status < 500;
  const added = total(creations.filter((each) => !isRefused(each)));
  const requests = counted(total(sent), 'request');
  const parts = [
    ...(added > 0 ? [added === 1 ? 'adds a record' : `adds up to ${added} records`] : []),
    ...(added === 0 && creations.length > 0 ? ['adds a record if the service accepts it'] : []),
    ...(usesUpLimit ? [`uses up the rate limit of the key: up to ${requests}`] : []),
    ...(!usesUpLimit && total(sent) >= MANY ? [`sends up to ${requests}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}
