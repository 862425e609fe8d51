import type { Ended } from '../command-line.ts';
import { CONTRADICTS, type Figures } from './figures.ts';
import type { Served } from './in-bash.ts';

/** A kind of finding: a fault that has it, and how its deviation shows in what bash prints. */
export interface Kind {
  kind: string;
  fault: string;
  requirement: string;
  /** How the reference is served with and without the fault, if not with a window that does not end. */
  served?: Served;
  /** Whether the script goes on to the limit: then it gets a server of its own. */
  usesUpLimit?: boolean;
  shows: (printed: Ended) => boolean;
}

/** What a script says of each answer: its status, and the figures of the limit. */
function answers({ out }: Ended): Required<Figures>[] {
  return [...out.matchAll(/^\d+: HTTP\/1\.1 (\d+)(.*)$/gm)].map(([, status, headers = '']) => {
    const figure = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(headers)?.[1]);
    return {
      status: Number(status),
      limit: figure('Limit'),
      remaining: figure('Remaining'),
      reset: figure('Reset'),
    };
  });
}

/** Whether what is said of the limit contradicts a requirement. */
function contradicts(requirement: string): Kind['shows'] {
  return (printed) => CONTRADICTS[requirement]?.(answers(printed)) ?? false;
}

/** Whether more were let through until one Reset than Limit says. */
function isOverrun(printed: Ended): boolean {
  const all = answers(printed).filter(({ status }) => status !== 429);
  return all.some(({ reset, limit }) => all.filter((each) => each.reset === reset).length > limit);
}

/** The objects of JSON that stand on lines of their own, or are an entry of a list. */
function records({ out }: Ended): Record<string, unknown>[] {
  // Two answers at one time may come on one line.
  const apart = out.replaceAll('}{', '}\n{').split('\n');
  const lines = apart.map((line) => /^\[?(\{.*\})[\],]*$/.exec(line)?.[1] ?? '');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Whether two of these say something else of a field. */
function differ(printed: Ended, field: string): boolean {
  return new Set(records(printed).map((each) => each[field])).size > 1;
}

/** The status of the last answer that is shown with its headers. */
function lastStatus({ out }: Ended): number {
  return Number([...out.matchAll(/^HTTP\/1\.1 (\d+)/gm)].at(-1)?.[1]);
}

const isAbsent = ({ out }: Ended) => out.includes('(not in this response)');
/** The first request is over the limit already, and the limit is over soon. */
const SOON: Served = { window: 8, changes: ['first-request-window-both', 'none-left'] };

export const KINDS: readonly Kind[] = [
  {
    kind: 'the limit is not enforced',
    fault: 'never-refuses',
    requirement: 'TooManyRequests',
    usesUpLimit: true,
    shows: isOverrun,
  },
  {
    kind: 'each path has a limit of its own',
    fault: 'late-per-path',
    requirement: 'TooManyRequests',
    usesUpLimit: true,
    shows: isOverrun,
  },
  {
    kind: 'a request over the limit is refused otherwise',
    fault: 'refused-503',
    requirement: 'TooManyRequests',
    usesUpLimit: true,
    shows: (printed) => answers(printed).some(({ status }) => status === 503),
  },
  {
    kind: 'a request is refused early',
    fault: 'early-sixth',
    requirement: 'rate-limit.early',
    usesUpLimit: true,
    shows: (printed) => {
      const [before, refused] = answers(printed).slice(-2);
      return refused?.status === 429 && (before?.remaining ?? 0) > 3;
    },
  },
  {
    kind: 'a refusal comes early if other operations are used',
    fault: 'early-told-per-operation',
    requirement: 'rate-limit.early',
    usesUpLimit: true,
    shows: contradicts('rate-limit.early'),
  },
  {
    kind: 'Remaining is what is not left',
    fault: 'remaining-at-least-one',
    requirement: 'rate-limit.count',
    usesUpLimit: true,
    shows: contradicts('rate-limit.count'),
  },
  {
    kind: 'Remaining is not what is left after some responses',
    fault: 'remaining-whole-404',
    requirement: 'rate-limit.count',
    usesUpLimit: true,
    shows: contradicts('rate-limit.count'),
  },
  {
    kind: 'Reset is another one on some responses',
    fault: 'reset-later-created',
    requirement: 'rate-limit.reset',
    usesUpLimit: true,
    shows: contradicts('rate-limit.reset'),
  },
  {
    kind: 'additions are not limited',
    fault: 'late-additions',
    requirement: 'TooManyRequests',
    usesUpLimit: true,
    shows: isOverrun,
  },
  {
    kind: 'X-Forwarded-For gets around the limit',
    fault: 'late-per-forwarded',
    requirement: 'TooManyRequests',
    usesUpLimit: true,
    shows: contradicts('TooManyRequests'),
  },
  {
    kind: 'another spelling gets around the limit',
    fault: 'late-per-spelling',
    requirement: 'TooManyRequests',
    usesUpLimit: true,
    shows: contradicts('TooManyRequests'),
  },
  {
    kind: 'a refusal is no Error',
    fault: '429-code-missing',
    requirement: 'Error.code',
    usesUpLimit: true,
    shows: (printed) => lastStatus(printed) === 429 && !('code' in (records(printed).at(-1) ?? {})),
  },
  {
    kind: 'nothing is let through after Retry-After',
    fault: 'never-reopens',
    requirement: 'rate-limit.recovery',
    usesUpLimit: true,
    served: SOON,
    shows: (printed) => printed.out.includes('then one more') && lastStatus(printed) === 429,
  },
  {
    kind: 'Retry-After is a date that is over',
    fault: 'retry-after-date-behind',
    requirement: 'rate-limit.recovery',
    usesUpLimit: true,
    served: SOON,
    shows: (printed) => printed.out.includes('waiting 0 s') && lastStatus(printed) === 429,
  },
  {
    kind: 'Limit is another one after a refusal',
    fault: 'limit-punished',
    requirement: 'rate-limit.constant',
    usesUpLimit: true,
    served: SOON,
    shows: ({ out }) =>
      new Set([...out.matchAll(/X-RateLimit-Limit: (\d+)/g)].map(([, limit]) => limit)).size > 1,
  },
  {
    kind: 'Remaining never falls',
    fault: 'remaining-constant',
    requirement: 'rate-limit.falls',
    shows: (printed) => new Set(answers(printed).map(({ remaining }) => remaining)).size === 1,
  },
  {
    kind: 'Remaining rises',
    fault: 'remaining-is-used',
    requirement: 'rate-limit.falls',
    shows: (printed) => {
      const [first, second] = answers(printed);
      return (second?.remaining ?? 0) > (first?.remaining ?? 0);
    },
  },
  {
    kind: 'Limit changes',
    fault: 'limit-random',
    requirement: 'rate-limit.constant',
    shows: (printed) => new Set(answers(printed).map(({ limit }) => limit)).size > 1,
  },
  {
    kind: 'what was added is fetched otherwise',
    fault: 'keep-name-20',
    requirement: 'getPet.stored',
    shows: (printed) => differ(printed, 'name'),
  },
  {
    kind: 'what was added is not found',
    fault: 'fetch-created-404',
    requirement: 'getPet.200',
    shows: (printed) => lastStatus(printed) === 404,
  },
  {
    kind: 'what was added is listed otherwise',
    fault: 'list-names-mojibake',
    requirement: 'listPets.stored',
    shows: (printed) => differ(printed, 'name'),
  },
  {
    kind: 'what is listed is fetched otherwise',
    fault: 'fetch-listed-renamed',
    requirement: 'getPet.stored',
    shows: (printed) => differ(printed, 'name'),
  },
  {
    kind: 'what is listed is not found',
    fault: 'fetch-listed-404',
    requirement: 'getPet.200',
    shows: (printed) => lastStatus(printed) === 404 && records(printed).length > 1,
  },
  {
    kind: 'another one is fetched',
    fault: 'fetch-stale',
    requirement: 'getPet.stored',
    shows: (printed) => {
      const [added, fetched] = records(printed).slice(-2);
      return added?.id !== fetched?.id;
    },
  },
  {
    kind: 'a list leaves out what another one has',
    fault: 'list-status-of-first-lost',
    requirement: 'listPets.stored',
    shows: (printed) => differ(printed, 'status'),
  },
  {
    kind: 'a filter leaves out what another list shows',
    fault: 'list-status-finds-first',
    requirement: 'listPets.status',
    shows: isAbsent,
  },
  {
    kind: 'every list is the first one',
    fault: 'list-cache-ignores-query',
    requirement: 'listPets.limit',
    shows: ({ out }) => (out.match(/"id"/g) ?? []).length > 23,
  },
  {
    kind: 'the default page is too small',
    fault: 'list-default-10',
    requirement: 'listPets.limit.default',
    shows: ({ out }) => Number(out.split('\n')[0]) < 20,
  },
  {
    kind: 'an id is assigned twice',
    fault: 'create-id-per-status',
    requirement: 'createPet.id',
    shows: ({ out }) => /more than once: \d/.test(out),
  },
  {
    kind: 'an id is assigned twice at one time',
    fault: 'create-id-race',
    requirement: 'createPet.id',
    shows: ({ out }) => /more than once: \d/.test(out),
  },
  {
    kind: 'what equals another one gets its id',
    fault: 'create-same-animal',
    requirement: 'createPet.id',
    shows: ({ out }) => /more than once: \d/.test(out),
  },
  {
    kind: 'an id is assigned that a listed one has',
    fault: 'create-id-taken',
    requirement: 'createPet.id',
    shows: (printed) => !isAbsent(printed),
  },
  {
    kind: 'two at one time get the fields of one',
    fault: 'create-shared-variable',
    requirement: 'createPet.echo',
    shows: (printed) => new Set(records(printed).map(({ name }) => name)).size === 1,
  },
  {
    kind: 'a name that is taken is refused',
    fault: 'create-same-name-409',
    requirement: 'createPet.201',
    shows: (printed) => lastStatus(printed) === 409,
  },
  {
    kind: 'some answers are cut short',
    fault: 'http-closed-every-fifth',
    requirement: 'service.http',
    shows: ({ out }) => out.trim().split('\n').length > 1,
  },
  {
    kind: 'more bytes than Content-Length',
    fault: 'http-length-short',
    requirement: 'service.http',
    shows: ({ out }) =>
      Number(/(\d+) bytes of body/.exec(out)?.[1]) > Number(/Content-Length: (\d+)/.exec(out)?.[1]),
  },
  {
    kind: 'fewer bytes than Content-Length',
    fault: 'http-closed-half-message',
    requirement: 'service.http',
    shows: ({ status }) => status === 18,
  },
  {
    kind: 'a body that is not encoded as it says',
    fault: 'json-not-gzip',
    requirement: 'service.json',
    shows: ({ status }) => status !== 0,
  },
  {
    kind: 'a text of many kinds of characters',
    fault: 'create-name-quotes-doubled',
    requirement: 'createPet.echo',
    shows: ({ out }) => out.includes("''"),
  },
  {
    kind: 'a key without its last character',
    fault: 'key-shorter',
    requirement: 'authentication.key',
    shows: (printed) => lastStatus(printed) === 200,
  },
  {
    kind: 'a key with its letters in the other case',
    fault: 'key-any-case',
    requirement: 'authentication.key',
    shows: (printed) => lastStatus(printed) === 200,
  },
];
