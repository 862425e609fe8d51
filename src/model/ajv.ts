import { createRequire } from 'node:module';
import type { Ajv2020, Options } from 'ajv/dist/2020.js';

type Ajv2020Module = typeof import('ajv/dist/2020.js');
type FormatsModule = typeof import('ajv-formats');

const require = createRequire(import.meta.url);

/**
 * A validator of JSON Schema 2020-12 with the usual formats. It does not validate schemas (petspec's own are tested), nor optimize
 * their code: both take longer than compiling them. Loads ajv on demand, as most commands never need it.
 */
export function ajvWith(options: Options): Ajv2020 {
  const { Ajv2020 } = require('ajv/dist/2020.js') as Ajv2020Module;
  const { default: addFormats } = require('ajv-formats') as FormatsModule;
  const ajv = new Ajv2020({ meta: false, validateSchema: false, code: { optimize: false }, ...options });
  // Its types are those of an ES module, where the function would be `default.default`.
  (addFormats as unknown as (instance: unknown) => void)(ajv);
  return ajv;
}

/** The last ms of the year 9999, since the epoch. */
const LAST_MS = 253_402_300_799_999;

/**
 * A validator of files that petspec writes. Their times are from 1970 to 9999, as petspec's clock tells them, and without leap seconds,
 * which `date-time` allows and no Date can hold.
 */
export function ajvOfRecords(options: Options): Ajv2020 {
  const ajv = ajvWith(options);
  const { validate } = ajv.formats['date-time'] as { validate: (text: string) => boolean };
  return ajv.addFormat('date-time', (text: string) => {
    const ms = Date.parse(text);
    return validate(text) && ms >= 0 && ms <= LAST_MS;
  });
}
