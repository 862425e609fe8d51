import { counted } from '../../model/report/report.ts';
import type { SentRequest } from './sent-request.ts';
import { isCreation, namesRemoved, type Run, stepsOf } from './steps.ts';

/** The most that a script sends. */
export interface Cost {
  sent: readonly { request: SentRequest; times: number }[];
  /** Whether it sends until the limit refuses it. */
  usesUpLimit?: boolean;
}

/** The number of requests that is worth a warning. */
const MANY = 8;

/** The cost of a script that sends these requests, and what they need, this many times. */
export function allOf(requests: readonly SentRequest[], run: Run, times = 1): Cost['sent'] {
  return stepsOf(requests, run).steps.map(({ request }) => ({ request, times }));
}

/** The cost of a script that sends one request this many times, and once what it needs. */
export function many(request: SentRequest, times: number, run: Run): Cost['sent'] {
  return [...allOf([request], run).slice(0, -1), { request, times }];
}

/** What a user has to know before running a script: what it creates, and what it uses up. */
export function warningOf({ sent, usesUpLimit = false }: Cost, run: Run): string | undefined {
  const total = (each: Cost['sent']) => each.reduce((sum, { times }) => sum + times, 0);
  const creations = sent.filter(({ request }) => isCreation(request, run));
  // A refused creation only adds a record if the service accepts it now.
  const isRefused = ({ request: { status = 0 } }: Cost['sent'][number]) => status >= 400 && status < 500;
  const added = total(creations.filter((each) => !isRefused(each)));
  const requests = counted(total(sent), 'request');
  const isRemoved = sent.some(({ request }) => namesRemoved(request, run));
  const parts = [
    ...(isRemoved ? ['names what the run created and then removed: put ids of yours in their place'] : []),
    ...(added > 0 ? [added === 1 ? 'adds a record' : `adds up to ${added} records`] : []),
    ...(added === 0 && creations.length > 0 ? ['adds a record if the service accepts it'] : []),
    ...(usesUpLimit ? [`uses up the rate limit of the key with up to ${requests}`] : []),
    ...(!usesUpLimit && total(sent) >= MANY ? [`sends up to ${requests}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}
