import { gzipSync } from 'node:zlib';
import { at, type Behavior, changed, untested, violating } from '../behavior.ts';
import { withBody } from '../bytes.ts';

/** A successful answer of an operation with another body. */
const saying = (
  operation: string,
  id: string,
  does: string,
  body: (usual: string) => string | Buffer,
  expected: Behavior['expected'],
  ...lines: string[]
) =>
  at(
    operation,
    id,
    does,
    changed((parts) => {
      const isSuccess = / 20\d /.test(parts.status);
      return isSuccess ? withBody(parts, body(parts.body.toString()), ...lines) : parts;
    }),
    expected,
  );

/** Made once: a service would have it at hand, too. */
const EMPTY_OBJECTS = `[${Array(1_000_000).fill('{}').join(',')}]`;

/** The first animal of a list, and as many more like it as make a thousand, each under an id of its own. */
function multiplied(list: string): string {
  const [animal = ''] = /\{[^}]*\}/.exec(list) ?? [];
  const copies = Array.from({ length: 1_000 }, (_, index) =>
    index === 0 ? animal : copyOf(animal, 10 ** 12 + index),
  );
  return `[${copies.join(',')}]`;
}

/** Another animal, which is the same in every list. */
function copyOf(animal: string, id: number): string {
  return animal
    .replace(/"id":\d+/, `"id":${id}`)
    .replace(/"name":"(?:[^"\\]|\\.)*"/, '"name":"Rex"')
    .replace(/"categoryId":\d+/, '"categoryId":1');
}

/** Bodies that are hard on whoever reads them. */
export const bodies: readonly Behavior[] = [
  saying(
    'getPet',
    'deep-json',
    'answers with an array that is nested 100,000 levels deep',
    () => '['.repeat(100_000) + ']'.repeat(100_000),
    violating('service.json', 'levels deep'),
  ),
  saying(
    'getPet',
    'million-digits',
    'answers with an id of a million digits',
    (usual) => usual.replace(/"id":\d+/, `"id":${'9'.repeat(1_000_000)}`),
    violating('Pet.id', '/id is not an integer'),
  ),
  saying(
    'getPet',
    'million-zeros',
    'answers with an id that has a million zeros behind the point',
    (usual) => usual.replace(/"id":(\d+)/, `"id":$1.5${'0'.repeat(1_000_000)}1`),
    violating('Pet.id', '/id is not an integer'),
  ),
  saying(
    'createPet',
    'half-character-id',
    'answers with an id that is half of a character, which no address can hold',
    (usual) => usual.replace(/"id":\d+/, '"id":"\\ud800"'),
    violating('Pet.id', '/id is not an integer'),
  ),
  saying(
    'listPets',
    'million-items',
    'answers with a list of a million empty objects',
    () => EMPTY_OBJECTS,
    untested('more values than petspec reads'),
  ),
  saying(
    'listPets',
    'thousand-animals',
    'answers every list with 1,000 animals',
    multiplied,
    violating('listPets.limit', 'more animals than requested'),
  ),
  saying(
    'getPet',
    'not-utf-8',
    'answers with bytes that are not UTF-8',
    (usual) => Buffer.from(usual.replace(/"name":"/, '"name":"\u00ff\u00fe'), 'latin1'),
    violating('service.json', 'not UTF-8'),
  ),
  saying(
    'listPets',
    'byte-order-mark',
    'begins the body with a byte order mark',
    (usual) => `\ufeff${usual}`,
    violating('service.json', 'byte order mark'),
  ),
  saying(
    'getPet',
    'nul-bytes',
    'sends NUL bytes inside a string of the body',
    (usual) => usual.replace(/"name":"/, '"name":"\0\0\0'),
    violating('service.json', 'not JSON'),
  ),
  saying(
    'createPet',
    'utf-16',
    'answers in UTF-16',
    (usual) => Buffer.from(`\ufeff${usual}`, 'utf16le'),
    violating('service.json', 'not UTF-8'),
  ),
  saying(
    'getPet',
    'gzip-cut',
    'cuts a compressed body in the middle',
    (usual) => gzipSync(usual).subarray(0, 30),
    violating('service.json', 'content-encoding'),
    'Content-Encoding: gzip',
  ),
  saying(
    'listPets',
    'gzip-not',
    'says that the body is compressed, which it is not',
    (usual) => usual,
    violating('service.json', 'content-encoding'),
    'Content-Encoding: gzip',
  ),
];
