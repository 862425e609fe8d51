import { notTested } from '../../src/model/finding.ts';
import {
  type ClientCheck,
  type ClientRequest,
  type DeviatingRequest,
  judged,
  listed,
} from '../../src/traffic/client-check.ts';
import { sentBackIn } from './ids.ts';

/** The section of requirements that no document states. */
const SECTION = 'Every client';

/** Scenarios that a client should survive: changes that need no new version, and slow responses. */
const HARMLESS: ReadonlySet<string> = new Set([
  'other-form',
  'extra-fields',
  'new-member',
  'slow',
  'large-ids',
]);

const survives = listed(
  'survives',
  'should',
  SECTION,
  'A client survives fields and members of enumerations that are new, ids beyond 2^53, other forms of the same JSON, and slow responses.',
);

/** The checks of clients of any document that are not derived from it. */
export const documentChecks: readonly ClientCheck[] = [
  {
    requirement: survives,
    judge({ scenarios }) {
      if (!scenarios.some(({ scenario, end }) => scenario === 'plain' && end.kind === 'ended'))
        return notTested('no-traffic', NOT_SOUND);
      // A client whose ids lost digits fails for that reason, which is another requirement's.
      const lossy = new Set(sentBackIn(scenarios).wrong.map(({ scenario }) => scenario));
      const tried = scenarios.filter(({ scenario }) => HARMLESS.has(scenario) && !lossy.has(scenario));
      const wrong: DeviatingRequest[] = [];
      const held: ClientRequest[] = [];
      for (const { scenario, requests, end } of tried) {
        const request = requests.at(-1);
        if (!request) continue;
        if (end.kind === 'ended') held.push(request);
        if (end.kind === 'failed') wrong.push({ scenario, request, deviation: failedBy(end.words) });
      }
      return judged(survives, wrong, held, `end in ${[...HARMLESS].join(', ')}`);
    },
  },
];

/** Why the check cannot tell what a client survives. */
const NOT_SOUND = 'the scenario plain did not run, or the client did not end well in it';

function failedBy(words: string): DeviatingRequest['deviation'] {
  return {
    kind: 'sequence',
    reason: 'the client failed, though it ends well where all is well',
    expected: 'the client ends as in the scenario plain',
    received: words,
  };
}

/** Sentences of the animal store, reworded for any document. For Retry-After, RFC 9110 section 10.2.3 only says "ought to". */
const IN_OTHER_WORDS: Readonly<Record<string, Partial<ClientCheck['requirement']>>> = {
  'client.address': { statement: 'A request for an operation goes to its path below the base URL.' },
  'client.key.form': {
    statement: 'The key is sent where the document says, and is the one that the client was given.',
  },
  'client.key.place': { statement: 'The key is where the document says and nowhere else.' },
  'client.ids': {
    statement: 'A number of type int64 that the service returned is sent back with every digit.',
  },
  'client.retry-after': {
    level: 'should',
    statement: 'After a 429 or 503, no request with the key is sent before the time in Retry-After.',
  },
};

/** Requirements of the animal store alone: no other document asks for backoff, and only its scenarios lead to another origin. */
const OF_ANIMALS: ReadonlySet<string> = new Set(['client.backoff', 'client.key.origin']);

/** Makes the checks of the animal store that do not mention animals usable for another document. */
export function forDocuments(checks: readonly ClientCheck[]): ClientCheck[] {
  return checks
    .filter(({ requirement }) => !OF_ANIMALS.has(requirement.id))
    .map(({ requirement, judge }) => {
      const reworded = { ...requirement, section: SECTION, ...IN_OTHER_WORDS[requirement.id] };
      return {
        requirement: reworded,
        judge(traffic) {
          const finding = judge(traffic);
          return reworded.level === 'should' && finding.status === 'violated'
            ? { ...finding, status: 'advisory' }
            : finding;
        },
      };
    });
}
