import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { schemaErrors } from '../../src/contract/validation/schema-validator.ts';
import { schemaOf } from '../own-interface/document.ts';
import { cases, PATIENCE } from './budget.ts';

const simple = fc.constantFrom<object>(
  { type: 'string' },
  { type: 'string', maxLength: 1 },
  { type: 'integer' },
  { type: 'integer', minimum: 3 },
  { type: 'null' },
  { type: 'object', required: ['a'] },
  { $ref: '#/components/schemas/Thing' },
);

/** Choices in choices, in fields, in entries, and beside each other. */
const { schema: schemas } = fc.letrec<{ schema: object }>((tie) => {
  const several = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      simple,
      fc.record({ anyOf: several }),
      fc.record({ oneOf: several }),
      fc.record({ anyOf: several, oneOf: several }),
      fc.record({ allOf: several }),
      fc.record({ properties: fc.record({ a: tie('schema') }) }),
      fc.record({ items: tie('schema') }),
    ),
  };
});

const THING = { anyOf: [{ oneOf: [{ type: 'boolean' }, { type: 'string' }] }, { type: 'integer' }] };
const values = fc.constantFrom(
  '',
  'a',
  'ab',
  1,
  5,
  true,
  null,
  {},
  { a: 1 },
  { a: 'ab' },
  { a: null },
  [],
  [1, 'ab'],
  [null],
);

test(
  'a value fits nested choices exactly if the JSON Schema says so',
  async () => {
    await fc.assert(
      fc.asyncProperty(schemas, fc.array(values, { minLength: 1, maxLength: 4 }), async (raw, all) => {
        const schema = await schemaOf(raw, { Thing: THING });
        const fits = new Ajv2020({ strict: false }).compile({
          ...raw,
          components: { schemas: { Thing: THING } },
        });
        for (const value of all) expect(schemaErrors(schema, value).length === 0).toBe(fits(value));
      }),
      cases(20),
    );
  },
  PATIENCE,
);
