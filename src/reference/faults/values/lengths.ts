import { answering, cutShort } from '../../changes/changes.ts';
import { crash, creating, creatingOther, naming } from '../building-blocks.ts';
import type { Fault } from '../fault.ts';
import { echoed } from './renaming.ts';

const INT32_MAX = 2n ** 31n - 1n;
const UINT32_MAX = 2n ** 32n - 1n;

const lengthOf = (name: string) => [...name].length;

/** Lengths of names and category ids that many services handle by accident only. */
export const lengthFaults: readonly Fault[] = [
  echoed('length-255-terminated', 'a name of 255 characters loses its last one to a terminator', (name) =>
    lengthOf(name) === 255 ? name.slice(0, -1) : name,
  ),
  echoed(
    'length-256-is-0',
    'the length of a name is kept in one byte: one of 256 characters is empty',
    (name) => (lengthOf(name) === 256 ? '' : name),
  ),
  echoed('length-1024-cut', 'a name is cut after 1,023 characters', (name) => name.slice(0, 1_023)),
  echoed('length-4096-cut', 'a name is cut after 4,096 characters', (name) => name.slice(0, 4_096)),
  {
    id: 'length-8192-500',
    summary: 'a name of more than 8,191 characters does not fit the index of the database: 500',
    violates: ['createPet.responses'],
    ...answering(
      naming((name) => name.length > 8_191),
      crash,
    ),
  },
  {
    id: 'length-8192-closed',
    summary: 'a body of more than 8 KiB closes the connection without a response',
    violates: ['service.http'],
    ...cutShort(
      { operation: 'createPet', key: 'valid', when: ({ bodyBytes }) => bodyBytes.length > 8_192 },
      'nothing',
    ),
  },
  {
    id: 'category-0-is-1',
    summary: 'the category 0 is taken for a missing one: it comes back as 1',
    violates: ['createPet.echo'],
    ...creatingOther((animal) => (animal.categoryId === 0n ? { ...animal, categoryId: 1n } : animal)),
  },
  {
    id: 'category-minus-1-500',
    summary: 'the category -1 is used as an index into a list: 500',
    violates: ['createPet.responses'],
    ...answering(
      creating(({ categoryId }) => categoryId === -1n),
      crash,
    ),
  },
  {
    id: 'category-signed-32',
    summary: 'a categoryId from 2^31 to 2^32 - 1 comes back negative',
    violates: ['createPet.echo'],
    ...creatingOther((animal) =>
      animal.categoryId > INT32_MAX && animal.categoryId <= UINT32_MAX
        ? { ...animal, categoryId: animal.categoryId - 2n ** 32n }
        : animal,
    ),
  },
];
