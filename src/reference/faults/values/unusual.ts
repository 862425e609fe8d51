import { answering, onCreate, withField } from '../../changes/changes.ts';
import { type Fault, violating } from '../fault.ts';
import { crash, echoed } from '../mistakes.ts';
import { creating, naming } from '../requests.ts';

const crashing = (when: ReturnType<typeof creating>) => answering(when, crash);

/** Names that a service may refuse, and that this one accepts and changes, or fails to handle. */
const names: readonly Fault[] = [
  {
    id: 'length-255-500',
    summary: 'a name of 255 characters does not fit its column, which has room for 254: 500',
    violates: ['createPet.responses'],
    seeds: [6],
    ...crashing(naming((name) => name.length === 255)),
  },
  {
    ...echoed(
      'length-256-cut',
      'the length of a name is one byte: 256 characters come back as none',
      (name) => name.slice(0, name.length % 256),
    ),
    seeds: [0, 2, 4, 5, 7],
  },
  {
    id: 'name-injection-500',
    summary: 'a name with a quote, OR and a condition breaks the database query: 500',
    violates: ['createPet.responses'],
    seeds: [1],
    ...crashing(naming((name) => /'\s*or\s*'/i.test(name))),
  },
  {
    ...echoed('name-backticks-quoted', 'backticks in a name come back as quotes', (name) =>
      name.replaceAll('`', "'"),
    ),
    seeds: [1],
  },
  {
    ...echoed('name-parents-removed', 'a name loses what leads out of a folder', (name) =>
      name.replaceAll('../', ''),
    ),
    seeds: [1],
  },
  {
    ...echoed('name-control-lost', 'control characters are removed from a name', (name) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what the fault removes
      name.replaceAll(/[\u0001-\u0008\u000e-\u001f]/g, ''),
    ),
    seeds: [3],
  },
  {
    ...echoed('name-lines-cut', 'a name ends at a line break', (name) => name.replace(/[\r\n].*$/s, '')),
    seeds: [3],
  },
  {
    id: 'name-bell-500',
    summary: 'a name with a control character breaks the XML of the search index: 500',
    violates: ['createPet.responses'],
    seeds: [3],
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has none of these
    ...crashing(naming((name) => /[\u0001-\u0008]/.test(name))),
  },
];

/** A text of digits alone. */
const isNumber = (text: string) => /^\d{1,18}$/.test(text);

/** Names of digits alone, which a service may refuse, and which this one takes for numbers. */
const numbers: readonly Fault[] = [
  {
    id: 'name-digits-number',
    summary: 'POST /pets returns a name of digits alone as a number',
    violates: ['Pet.name'],
    seeds: [0, 1, 2, 3, 4, 6, 7],
    ...withField({ operation: 'createPet', status: 201 }, 'name', (name) =>
      typeof name === 'string' && isNumber(name) ? BigInt(name) : (name ?? null),
    ),
  },
  {
    ...echoed('name-digits-zeros-lost', 'a name of digits alone loses the zeros at its beginning', (name) =>
      isNumber(name) ? String(BigInt(name)) : name,
    ),
    seeds: [0, 1, 2, 3, 4, 6, 7],
  },
];

/** Numbers that a service may refuse as a category. */
const categories: readonly Fault[] = [
  {
    id: 'category-zero-default',
    summary: 'category 0 counts as none: the animal is added with category 1',
    violates: ['createPet.echo'],
    seeds: [0],
    ...onCreate((animal) => (animal.categoryId === 0n ? { ...animal, categoryId: 1n } : animal)),
  },
  {
    id: 'category-zero-500',
    summary: 'category 0 is taken for a missing one after validation: 500',
    violates: ['createPet.responses'],
    seeds: [0],
    ...crashing(creating(({ categoryId }) => categoryId === 0n)),
  },
  ...violating('createPet.echo', {
    'category-minus-one-positive': [
      'category -1 comes back as 1',
      onCreate((animal) => (animal.categoryId === -1n ? { ...animal, categoryId: 1n } : animal)),
      { seeds: [2] },
    ],
    'category-sign-lost': [
      'a category from 2^31 to 2^32 comes back negative',
      onCreate((animal) =>
        animal.categoryId > 0n && animal.categoryId < 2n ** 32n
          ? { ...animal, categoryId: BigInt.asIntN(32, animal.categoryId) }
          : animal,
      ),
      { seeds: [4] },
    ],
  }),
];

/** Names and categories that a service may refuse. */
export const unusualValueFaults: readonly Fault[] = [...names, ...numbers, ...categories];
