import { withField, withoutField } from '../../changes/changes.ts';
import { isObject } from '../../http/json.ts';
import type { Animal, PetStatus } from '../../store.ts';
import type { Fault } from '../fault.ts';
import { creating, creatingOther, latinOnly, mojibake, naming } from '../mistakes.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const renamed = (change: (name: string) => string) =>
  creatingOther((animal) => ({ ...animal, name: change(animal.name) }));

const withStatusOf = (animal: Animal, status: PetStatus | undefined): Animal => {
  const { status: _, ...rest } = animal;
  return status === undefined ? rest : { ...rest, status };
};

/** POST /pets: fields that come back changed. */
export const echoFaults: readonly Fault[] = [
  {
    id: 'create-name-mojibake',
    summary: 'the body is read as latin-1: one character of a name comes back as several',
    violates: ['createPet.echo'],
    ...renamed(mojibake),
  },
  {
    id: 'create-name-latin-only',
    summary: 'characters beyond latin-1 come back as question marks',
    violates: ['createPet.echo'],
    ...renamed(latinOnly),
  },
  {
    id: 'create-name-cut-at-emoji',
    summary: 'a name is cut at its first four-byte character',
    violates: ['createPet.echo'],
    ...renamed((name) => name.replace(/[\u{10000}-\u{10ffff}].*$/u, '')),
  },
  {
    id: 'create-name-lone-surrogates',
    summary: 'characters beyond the basic plane come back as two replacement characters',
    violates: ['createPet.echo'],
    ...renamed((name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd\ufffd')),
  },
  {
    id: 'create-name-escaped',
    summary: 'names are stored HTML-escaped',
    violates: ['createPet.echo'],
    ...renamed((name) => name.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)),
  },
  {
    id: 'create-name-unescaped',
    summary: 'HTML entities in a name are decoded',
    violates: ['createPet.echo'],
    ...renamed((name) => name.replaceAll('&amp;', '&')),
  },
  {
    id: 'create-name-no-tags',
    summary: 'HTML tags are stripped from a name',
    violates: ['createPet.echo'],
    ...renamed((name) => name.replaceAll(/<[^>]*>/g, '')),
  },
  {
    id: 'create-name-no-backslash',
    summary: 'backslashes are stripped from a name',
    violates: ['createPet.echo'],
    ...renamed((name) => name.replaceAll('\\', '')),
  },
  {
    id: 'create-name-plus-is-blank',
    summary: 'a plus in a name comes back as a space, as if the body were a form',
    violates: ['createPet.echo'],
    ...renamed((name) => name.replaceAll('+', ' ')),
  },
  {
    id: 'create-name-quotes-doubled',
    summary: 'an apostrophe comes back doubled, as escaped for SQL',
    violates: ['createPet.echo'],
    ...renamed((name) => name.replaceAll("'", "''")),
  },
  {
    id: 'create-name-no-joiners',
    summary: 'zero-width joiners are removed from a name: one emoji becomes several',
    violates: ['createPet.echo'],
    ...renamed((name) => name.replaceAll('\u200d', '')),
  },
  {
    id: 'create-name-decomposed',
    summary: 'a name comes back in another Unicode normalization form',
    violates: ['createPet.echo'],
    ...renamed((name) => name.normalize('NFD')),
  },
  {
    id: 'create-name-255',
    summary: 'a name is cut after 255 characters',
    violates: ['createPet.echo'],
    seeds: [0, 2, 4, 5, 7],
    ...renamed((name) => name.slice(0, 255)),
  },
  {
    id: 'create-name-32-bytes',
    summary: 'a name is cut after 32 bytes, even inside a character',
    violates: ['createPet.echo'],
    ...renamed((name) => Buffer.from(name).subarray(0, 32).toString('utf8')),
  },
  {
    id: 'create-name-lower-case',
    summary: 'names come back in lower case',
    violates: ['createPet.echo'],
    ...renamed((name) => name.toLowerCase()),
  },
  {
    id: 'create-category-32-bits',
    summary: 'categoryId keeps only its lower 32 bits',
    violates: ['createPet.echo'],
    ...creatingOther((animal) => ({ ...animal, categoryId: BigInt.asIntN(32, animal.categoryId) })),
  },
  {
    id: 'create-category-of-first',
    summary: 'the response has the categoryId of the first animal',
    violates: ['createPet.echo'],
    ...withField({ operation: 'createPet', status: 201 }, 'categoryId', 1n),
  },
  {
    id: 'create-status-always-available',
    summary: 'whatever status is sent, an added animal is available',
    violates: ['createPet.echo'],
    ...creatingOther((animal) => withStatusOf(animal, 'available')),
  },
  {
    id: 'create-status-sold-lost',
    summary: 'an animal added as sold comes back without a status',
    violates: ['createPet.echo'],
    ...withoutField({ ...creating(({ status }) => status === 'sold'), status: 201 }, 'status'),
  },
  {
    id: 'create-name-of-another',
    summary: 'if the name has an emoji, the response has the name of another animal',
    violates: ['createPet.echo'],
    ...withField({ ...naming((name) => /🦊/u.test(name)), status: 201 }, 'name', 'Rex'),
  },
  {
    id: 'create-shared-variable',
    isRace: true,
    summary: 'the body is kept in one shared variable: simultaneous additions get the fields of the last one',
    violates: ['createPet.echo'],
    handle: async (call, next) => {
      if (call.operation !== 'createPet' || !isObject(call.body)) return next(call);
      const latest = call.recall('latest', () => ({ body: call.body }));
      latest.body = call.body;
      await call.pause(20);
      return next({ ...call, body: latest.body });
    },
  },
];
