import { type Check, observe } from '../src/judge/check.ts';
import { stringifyJson } from '../src/model/json.ts';
import { animalOf } from './animals.ts';
import { statuses } from './listing.ts';

/** Message submission: its shapes and failures are derived from the OpenAPI document; this is what is left open. */
export const messages: readonly Check[] = [
  observe(
    'open.message-status',
    (probe) => probe.id === 'sendMessage:minimal',
    ([sent]) => {
      const message = sent && animalOf(sent);
      return (
        sent && `answered ${sent.exchange.response?.status}, status ${stringifyJson(message?.status ?? null)}`
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
      return extra.length === 0 ? 'no other fields' : `also ${extra.join(', ')}`;
    },
  ),
];
