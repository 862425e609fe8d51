import { join } from 'node:path';

/** A client in some language, with a mistake if it is called with the name of one. */
export interface LanguageClient {
  language: string;
  /** Compiles it into a folder. */
  compile?: (folder: string) => readonly string[];
  command: (folder: string) => readonly string[];
  mistakes: readonly PlantedMistake[];
}

/** The mistake, the one requirement of clients that it violates, and the scenarios that show it. */
export type PlantedMistake = readonly [name: string, violates: string, ...scenarios: string[]];

const source = (name: string) => join(import.meta.dirname, 'languages', name);

/** Clients of petstore.yaml with what each language brings along. */
export const LANGUAGES: readonly LanguageClient[] = [
  {
    language: 'JavaScript',
    command: () => [process.execPath, source('client.mjs')],
    mistakes: [
      ['doubles', 'ids', 'plain', 'large-ids'],
      ['not-unavailable', 'retry-after', 'unavailable'],
      ['undeclared', 'addPet.body', 'plain'],
      ['undefined', 'key.form', 'plain'],
      ['object-in-path', 'getPetById.petId', 'plain'],
    ],
  },
  {
    language: 'Python',
    command: () => ['python3', source('client.py')],
    mistakes: [
      ['own-pause', 'retry-after', 'retry-after-seconds'],
      ['own-clock', 'retry-after', 'slow-clock'],
      ['key-in-query', 'key.place', 'plain'],
      ['wrong-status', 'findPetsByStatus.status', 'plain'],
    ],
  },
  {
    language: 'Ruby',
    command: () => ['ruby', source('client.rb')],
    mistakes: [
      ['hasty', 'retry-after', 'retry-after-date'],
      ['no-key-to-remove', 'key.sent', 'plain'],
      ['no-type', 'addPet.body', 'plain'],
      ['gives-up', 'retry', 'retry-after-seconds'],
      ['symbol-keys', 'NewPet.name', 'plain'],
    ],
  },
  {
    language: 'PHP',
    command: () => ['php', source('client.php')],
    mistakes: [
      ['other-header', 'key.place', 'plain'],
      ['form', 'addPet.body', 'plain'],
      ['objects-for-lists', 'NewPet.photoUrls', 'plain'],
    ],
  },
  {
    language: 'Perl',
    command: () => ['perl', source('client.pl')],
    mistakes: [
      ['dates-as-numbers', 'retry-after', 'retry-after-date'],
      ['bearer', 'key.form', 'plain'],
      ['numbers-as-texts', 'NewPet.category.id', 'plain'],
      ['no-version', 'address', 'plain'],
    ],
  },
  {
    language: 'Go',
    compile: (folder) => ['go', 'build', '-o', join(folder, 'client-go'), source('client.go')],
    command: (folder) => [join(folder, 'client-go')],
    mistakes: [
      ['floats', 'ids', 'plain', 'large-ids'],
      ['seconds-as-ms', 'retry-after', 'retry-after-seconds'],
      ['no-list', 'NewPet.photoUrls', 'plain'],
      ['deprecated', 'deprecated', 'plain'],
    ],
  },
  {
    language: 'Java',
    compile: (folder) => ['javac', '-d', folder, source('Client.java')],
    command: (folder) => ['java', '-cp', folder, 'Client'],
    mistakes: [
      ['ids-as-ints', 'ids', 'plain', 'large-ids'],
      ['waits-half', 'retry-after', 'retry-after-date'],
      ['cookie', 'key.place', 'plain'],
      ['ordinal', 'NewPet.status', 'plain'],
      ['strict', 'survives', 'plain', 'new-member'],
    ],
  },
];
