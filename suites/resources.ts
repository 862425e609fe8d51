import { type Check, isSound, observe, ownedCheck, unobservable } from '../src/suite.ts';
import { animalOf, animalsOf } from './animals.ts';

/** Resources: every response is JSON over HTTP. The checks of their fields are derived. */
export const resources: readonly Check[] = [
  ownedCheck('service.http', () => true, 'every-exchange'),
  ownedCheck('service.content-type', () => true, 'every-exchange'),
  ownedCheck('service.json', () => true, 'every-exchange'),

  observe(
    'open.latency',
    (probe) => probe.key === 'valid',
    (seen) => {
      const times = seen
        .map(({ exchange }) => exchange.receivedAt - exchange.sentAt)
        .sort((left, right) => left - right);
      return `median ${Math.round(times[Math.floor(times.length / 2)] ?? 0)} ms, longest ${Math.round(times.at(-1) ?? 0)} ms`;
    },
  ),
  observe(
    'open.extra-fields',
    (probe) => probe.operation !== 'sendMessage',
    (seen) => {
      const extra = seen.flatMap((judged) => {
        const schema = judged.documented?.schema?.items ?? judged.documented?.schema;
        if (!isSound(judged) || !schema?.properties) return [];
        const known = Object.keys(schema.properties);
        const found = new Set<string>();
        for (const each of [...animalsOf(judged), animalOf(judged)])
          for (const name of Object.keys(each)) found.add(name);
        return [...found]
          .filter((name) => !known.includes(name))
          .map((name) => `${schema['x-component'] ?? judged.operation.id}.${name}`);
      });
      return extra.length === 0
        ? 'no other fields'
        : `other fields: ${[...new Set(extra)].slice(0, 20).join(', ')}`;
    },
  ),
  unobservable('open.category', 'petspec sees only the ids of categories'),
  unobservable('open.transitions', 'no operation changes a status'),
  unobservable('open.events', 'petspec does not look for them'),
];
