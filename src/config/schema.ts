import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ajvWith } from '../model/ajv.ts';
import { segmentsOf } from '../model/json.ts';
import { didYouMean } from '../model/usage-error.ts';
import { configSchema } from './config-schema.ts';

/** A mistake, and its path of names from the top of the file. */
export interface ConfigMistake {
  path: readonly string[];
  /** Whether the last name of the path is wrong, rather than its value. */
  isName: boolean;
  words: string;
}

let compiled: ValidateFunction | undefined;

/** Compiled when the first configuration is read. */
function configValidator(): ValidateFunction {
  compiled ??= ajvWith({ allErrors: true, verbose: true, allowUnionTypes: true })
    .addVocabulary(['patternErrorMessage'])
    .compile(configSchema());
  return compiled;
}

/** Names that users give to a key in the file by mistake. */
const KEY_NAMES = /^(?:api[_-]?)?(?:key|token|secret)$|^authorization$/i;

/** The mistakes in the plain data of a configuration. The words never quote a value that may be a secret. */
export function mistakesOf(data: unknown): ConfigMistake[] {
  const isConfig = configValidator();
  if (isConfig(data)) return [];
  return (isConfig.errors ?? []).map(mistakeOf).filter((each) => each !== undefined);
}

function mistakeOf(error: ErrorObject): ConfigMistake | undefined {
  const { keyword, params, propertyName } = error;
  const path = segmentsOf(error.instancePath);
  if (propertyName !== undefined)
    return { path: [...path, propertyName], isName: true, words: `'${propertyName}' ${problemOf(error)}` };
  // What is wrong inside has an error of its own.
  if (keyword === 'propertyNames' || keyword === 'if') return undefined;
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    const known = Object.keys(error.parentSchema?.properties ?? {});
    return { path: [...path, name], isName: true, words: unknown(name, known) };
  }
  const subject = path.length === 0 ? 'the configuration' : `'${path.at(-1)}'`;
  return { path, isName: false, words: `${subject} ${problemOf(error)}` };
}

function unknown(name: string, known: readonly string[]): string {
  if (KEY_NAMES.test(name) && known.includes('apiKeyVariable'))
    return `'${name}' is not allowed; put the key into an environment variable, and the name of the variable here, as in apiKeyVariable: STAGING_API_KEY`;
  if (name === 'sandbox')
    return "'sandbox' is not allowed; repeat the host of the target on the command line, with --sandbox <host:port>";
  return `unknown setting '${name}'${didYouMean(name, known) || `; expected one of ${known.join(', ')}`}`;
}

/** What is wrong with a value or a name, as the predicate of a sentence. */
function problemOf({ keyword, params, parentSchema, data }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${[params.type].flat().map(typeInWords).join(' or ')}`;
    case 'enum':
      return `cannot be ${JSON.stringify(data)}; expected one of ${params.allowedValues.join(', ')}${didYouMean(String(data), params.allowedValues)}`;
    case 'minimum':
      return params.limit === 1 ? 'must be a positive integer' : `must be at least ${params.limit}`;
    case 'required':
      return `needs '${params.missingProperty}'`;
    case 'minProperties':
    case 'minLength':
      return 'must not be empty';
    default:
      return parentSchema?.patternErrorMessage ?? 'is not valid';
  }
}

function typeInWords(type: string): string {
  return (
    {
      object: 'a mapping',
      string: 'a string',
      integer: 'an integer',
      boolean: 'true or false',
    }[type] ?? type
  );
}
