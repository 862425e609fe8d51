import { expect, test } from 'vitest';
import { NoSuchFile, readReferred } from './references.ts';

const DOCUMENT = { a: { $ref: 'one.yaml' }, b: [{ $ref: 'two.yaml#/x' }, { $ref: '#/a' }] };

test('each file that is referred to is read once, also by files that were read', () => {
  const files: Record<string, unknown> = {
    '/folder/one.yaml': { $ref: 'sub/three.yaml' },
    '/folder/two.yaml': { $ref: 'one.yaml' },
    '/folder/sub/three.yaml': { $ref: '../two.yaml' },
  };
  const read: string[] = [];
  readReferred('/folder/openapi.yaml', DOCUMENT, (name) => {
    read.push(name);
    return files[name];
  });
  expect(read.sort()).toEqual(Object.keys(files).sort());
});

test('a file that is not there is left out', () => {
  const read: string[] = [];
  readReferred('/folder/openapi.yaml', DOCUMENT, (name) => {
    read.push(name);
    throw new NoSuchFile(`${name}: no such file`);
  });
  expect(read).toEqual(['/folder/one.yaml', '/folder/two.yaml']);
});

test("a mistake of petspec's own is not taken for a file that is not there", () => {
  const mistake = new TypeError('undefined is not a function');
  const failed = () =>
    readReferred('/folder/openapi.yaml', DOCUMENT, () => {
      throw mistake;
    });
  expect(failed).toThrow(mistake);
});
