import { type Check, observe, stringifyJson } from '../src/suite.ts';
import { animalOf } from './animals.ts';
import { statuses } from './listing.ts';

/** Message submission: checks of its shapes and failures are derived. These observe what the interface leaves open. */
export const messages: readonly Check[] = [
  observe(
    'open.message-status',
    (probe) => probe.id === 'sendMessage:minimal',
    ([sent]) => {
      const message = sent && animalOf(sent);
      return (
        sent &&
        `a message gets ${sent.exchange.response?.status}, and its status is ${stringifyJson(message?.status ?? null)}`
      );
    },
  ),
  observe(
    'open.message-type',
    (probe) => probe.operation === 'sendMessage' && probe.validity === 'open',
    statuses,
  ),
  observe(
    'open.message-area',
    (probe) => probe.id === 'sendMessage:minimal',
    ([sent]) => {
      if (!sent?.documented?.schema) return undefined;
      const known = Object.keys(sent.documented.schema.properties ?? {});
      const extra = Object.keys(animalOf(sent)).filter((name) => !known.includes(name));
      return extra.length === 0 ? 'no other fields' : `other fields: ${extra.join(', ')}`;
    },
  ),
];
