import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A validator of JSON Schema 2020-12 that knows the usual formats. */
export function ajvWith(options: Options): Ajv2020 {
  const ajv = new Ajv2020(options);
  // The package is CommonJS: under ESM its function is the default of the default.
  (addFormats as unknown as { default: (instance: unknown) => void }).default(ajv);
  return ajv;
}
