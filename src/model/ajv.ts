import { createRequire } from 'node:module';
import type { Ajv2020, Options } from 'ajv/dist/2020.js';

type Ajv2020Module = typeof import('ajv/dist/2020.js');
type FormatsModule = typeof import('ajv-formats');

const require = createRequire(import.meta.url);

/**
 * A validator of JSON Schema 2020-12 that knows the usual formats. It takes the schemas for valid, as a test of
 * petspec's own shows: compiling the schema of schemas takes longer than compiling them. Optimizing their code does, too.
 * Loads ajv, which most commands never need.
 */
export function ajvWith(options: Options): Ajv2020 {
  const { Ajv2020 } = require('ajv/dist/2020.js') as Ajv2020Module;
  const { default: addFormats } = require('ajv-formats') as FormatsModule;
  const ajv = new Ajv2020({ meta: false, validateSchema: false, code: { optimize: false }, ...options });
  // Its types are those of an ES module, in which the function would be the default of the default.
  (addFormats as unknown as (instance: unknown) => void)(ajv);
  return ajv;
}

/** The last ms of the year 9999, since the epoch. */
const LAST_MS = 253_402_300_799_999;

/**
 * A validator of files that petspec writes. Their times are those that its clock can tell, from 1970 to 9999: `date-time`
 * also allows leap seconds, which no Date can hold.
 */
export function ajvOfRecords(options: Options): Ajv2020 {
  const ajv = ajvWith(options);
  const { validate } = ajv.formats['date-time'] as { validate: (text: string) => boolean };
  return ajv.addFormat('date-time', (text: string) => {
    const ms = Date.parse(text);
    return validate(text) && ms >= 0 && ms <= LAST_MS;
  });
}
