import { counted } from '../model.ts';
import type { Sent } from './requests.ts';
import { isCreation, type Run } from './steps.ts';

/** What a script sends at the most. */
export interface Cost {
  /** Each request as often as it is sent. */
  requests: readonly Sent[];
  /** Whether it goes on to the limit. */
  usesUpLimit?: boolean;
}

/** What whoever runs a script has to know before: what it adds, and what it uses up. */
export function warningOf({ requests, usesUpLimit = false }: Cost, run: Run): string | undefined {
  const creations = requests.filter((each) => isCreation(each, run));
  // What was refused adds something only where it is no longer refused.
  const refused = creations.filter(({ status = 0 }) => status >= 400 && status < 500);
  const added = creations.length - refused.length;
  const parts = [
    ...(added > 0 ? [added === 1 ? 'adds a record' : `adds up to ${added} records`] : []),
    ...(added === 0 && refused.length > 0 ? ['adds a record if the service accepts it'] : []),
    ...(usesUpLimit
      ? [`uses up the rate limit of the key: up to ${counted(requests.length, 'request')}`]
      : []),
    ...(!usesUpLimit && requests.length >= MANY
      ? [`sends up to ${counted(requests.length, 'request')}`]
      : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** Requests from which on a user of the Free plan notices. */
const MANY = 8;
