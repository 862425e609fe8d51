import { onCreate, withField, withoutField } from '../../changes/changes.ts';
import { isObject } from '../../http/json.ts';
import type { Animal, PetStatus } from '../../store.ts';
import { type Fault, violating } from '../fault.ts';
import { latinOnly, mojibake } from '../mistakes.ts';
import { creating, naming } from '../requests.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const renamed = (change: (name: string) => string) =>
  onCreate((animal) => ({ ...animal, name: change(animal.name) }));

const withStatusOf = (animal: Animal, status: PetStatus | undefined): Animal => {
  const { status: _, ...rest } = animal;
  return status === undefined ? rest : { ...rest, status };
};

/** POST /pets: fields that come back changed. */
export const echoFaults: readonly Fault[] = violating('createPet.echo', {
  'create-name-mojibake': [
    'the body is read as latin-1: one character of a name comes back as several',
    renamed(mojibake),
  ],
  'create-name-latin-only': ['characters beyond latin-1 come back as question marks', renamed(latinOnly)],
  'create-name-cut-at-emoji': [
    'a name is cut at its first four-byte character',
    renamed((name) => name.replace(/[\u{10000}-\u{10ffff}].*$/u, '')),
  ],
  'create-name-lone-surrogates': [
    'characters beyond the basic plane come back as two replacement characters',
    renamed((name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd\ufffd')),
  ],
  'create-name-escaped': [
    'names are stored HTML-escaped',
    renamed((name) => name.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)),
  ],
  'create-name-unescaped': [
    'HTML entities in a name are decoded',
    renamed((name) => name.replaceAll('&amp;', '&')),
  ],
  'create-name-no-tags': [
    'HTML tags are stripped from a name',
    renamed((name) => name.replaceAll(/<[^>]*>/g, '')),
  ],
  'create-name-no-backslash': [
    'backslashes are stripped from a name',
    renamed((name) => name.replaceAll('\\', '')),
  ],
  'create-name-plus-is-blank': [
    'a plus in a name comes back as a space, as if the body were a form',
    renamed((name) => name.replaceAll('+', ' ')),
  ],
  'create-name-quotes-doubled': [
    'an apostrophe comes back doubled, as escaped for SQL',
    renamed((name) => name.replaceAll("'", "''")),
  ],
  'create-name-no-joiners': [
    'zero-width joiners are removed from a name: one emoji becomes several',
    renamed((name) => name.replaceAll('\u200d', '')),
  ],
  'create-name-decomposed': [
    'a name comes back in another Unicode normalization form',
    renamed((name) => name.normalize('NFD')),
  ],
  'create-name-255': [
    'a name is cut after 255 characters',
    renamed((name) => name.slice(0, 255)),
    { seeds: [0, 2, 4, 5, 7] },
  ],
  'create-name-32-bytes': [
    'a name is cut after 32 bytes, even inside a character',
    renamed((name) => Buffer.from(name).subarray(0, 32).toString('utf8')),
  ],
  'create-name-lower-case': ['names come back in lower case', renamed((name) => name.toLowerCase())],
  'create-category-32-bits': [
    'categoryId keeps only its lower 32 bits',
    onCreate((animal) => ({ ...animal, categoryId: BigInt.asIntN(32, animal.categoryId) })),
  ],
  'create-category-of-first': [
    'the response has the categoryId of the first animal',
    withField({ operation: 'createPet', status: 201 }, 'categoryId', 1n),
  ],
  'create-status-always-available': [
    'whatever status is sent, an added animal is available',
    onCreate((animal) => withStatusOf(animal, 'available')),
  ],
  'create-status-sold-lost': [
    'an animal added as sold comes back without a status',
    withoutField({ ...creating(({ status }) => status === 'sold'), status: 201 }, 'status'),
  ],
  'create-name-of-another': [
    'if the name has an emoji, the response has the name of another animal',
    withField({ ...naming((name) => /🦊/u.test(name)), status: 201 }, 'name', 'Rex'),
  ],
  'create-shared-variable': [
    'the body is kept in one shared variable: simultaneous additions get the fields of the last one',
    {
      handle: async (call, next) => {
        if (call.operation !== 'createPet' || !isObject(call.body)) return next(call);
        const latest = call.recall('latest', () => ({ body: call.body }));
        latest.body = call.body;
        await call.pause(20);
        return next({ ...call, body: latest.body });
      },
    },
    { isRace: true },
  ],
});
