import type { Kind } from './kind.ts';
import { differ, isAbsent, lastStatus, records } from './printed-answers.ts';

/** Deviations in what is added, fetched and listed. */
export const ANIMAL_KINDS: readonly Kind[] = [
  {
    kind: 'what was added is fetched with another name',
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
    kind: 'what was added is listed with another name',
    fault: 'list-names-mojibake',
    requirement: 'listPets.stored',
    shows: (printed) => differ(printed, 'name'),
  },
  {
    kind: 'what is listed is fetched with another name',
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
    kind: 'another animal is fetched',
    fault: 'fetch-stale',
    requirement: 'getPet.stored',
    shows: (printed) => {
      const [added, fetched] = records(printed).slice(-2);
      return added?.id !== fetched?.id;
    },
  },
  {
    kind: 'two lists show different fields of an animal',
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
    kind: 'every list is the same as the first',
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
    kind: 'an id that is sent is taken over, although another animal has it',
    fault: 'create-id-of-client',
    requirement: 'createPet.id',
    shows: (printed) => {
      const [added, other] = records(printed);
      return added !== undefined && added.id === other?.id;
    },
  },
  {
    kind: 'an id is assigned twice',
    fault: 'create-id-per-status',
    requirement: 'createPet.id',
    shows: ({ out }) => /more than once: \d/.test(out),
  },
  {
    kind: 'an id is assigned to two concurrent requests',
    fault: 'create-id-race',
    requirement: 'createPet.id',
    shows: ({ out }) => /more than once: \d/.test(out),
  },
  {
    kind: 'an animal with the same fields gets the same id',
    fault: 'create-same-animal',
    requirement: 'createPet.id',
    shows: ({ out }) => /more than once: \d/.test(out),
  },
  {
    kind: 'a listed id is assigned again',
    fault: 'create-id-taken',
    requirement: 'createPet.id',
    shows: (printed) => !isAbsent(printed),
  },
  {
    kind: 'concurrent requests get the fields of one of them',
    fault: 'create-shared-variable',
    requirement: 'createPet.echo',
    shows: (printed) => new Set(records(printed).map(({ name }) => name)).size === 1,
  },
  {
    kind: 'a name that is taken is rejected',
    fault: 'create-same-name-409',
    requirement: 'createPet.201',
    shows: (printed) => lastStatus(printed) === 409,
  },
  {
    kind: 'quotation marks in a name are doubled',
    fault: 'create-name-quotes-doubled',
    requirement: 'createPet.echo',
    shows: ({ out }) => out.includes("''"),
  },
];
