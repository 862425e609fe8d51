import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { documentOf } from '../document.ts';
import { servedAt } from '../served.ts';

/** The double next to it is another integer. */
const LARGE = '9007199254740993';

test.each([
  ['enum', `"enum": [1, ${LARGE}]`, '0'],
  ['const', `"const": ${LARGE}`, '1'],
  ['maximum', `"maximum": ${LARGE}`, '9007199254749999'],
  ['minimum', `"minimum": -${LARGE}`, '-9007199254749999'],
  ['exclusiveMaximum', '"exclusiveMaximum": 9007199254740995', '9007199254749999'],
  ['exclusiveMinimum', `"exclusiveMinimum": 9007199254740991`, '9007199254740991'],
])(
  'a service conforms with a number that a document states beyond 2^53: %s',
  async (keyword, stated, wrong) => {
    const schema = { type: 'object', properties: { a: { type: 'integer', what: 1 } } };
    const document = JSON.stringify(documentOf(schema)).replace('"what":1', stated);
    const verdictOn = async (text: string) =>
      (await run(await servedAt(document, () => ({ text: `{"a":${text}}` })))).verdict;
    expect(await verdictOn(keyword === 'minimum' ? `-${LARGE}` : LARGE)).toBe('conformant');
    expect(await verdictOn(wrong)).toBe('non-conformant');
  },
);
