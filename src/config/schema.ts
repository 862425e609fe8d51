import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import { segmentsOf } from '../model/json-pointer.ts';
import { didYouMean } from '../model/nearest.ts';
import { packageRoot } from '../model/package-root.ts';

/** A mistake, and where: the path of names from the top of the file. */
export interface Mistake {
  path: readonly string[];
  /** Whether the name that ends the path is wrong; else its value. */
  isName: boolean;
  words: string;
}

/** petspec.config.schema.json, as it ships with petspec for editors. */
const SCHEMA = JSON.parse(readFileSync(join(packageRoot, 'petspec.config.schema.json'), 'utf8'));

/** Editors show a patternErrorMessage in place of the pattern, and so does petspec. */
const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true });
ajv.addVocabulary(['patternErrorMessage']);
const isConfig = ajv.compile(SCHEMA);

/** Names under which a key is likely to be put into the file. */
const KEY_NAMES = /^(?:api[_-]?)?(?:key|token|secret)$|^authorization$/i;

/** What is wrong with the plain data of a configuration, in words that quote no value that may be a secret. */
export function mistakesOf(data: unknown): Mistake[] {
  if (isConfig(data)) return [];
  return (isConfig.errors ?? []).map(mistakeOf).filter((each) => each !== undefined);
}

function mistakeOf(error: ErrorObject): Mistake | undefined {
  const { keyword, params, propertyName } = error;
  const path = segmentsOf(error.instancePath);
  if (propertyName !== undefined)
    return { path: [...path, propertyName], isName: true, words: `${propertyName}: ${needed(error)}` };
  if (keyword === 'propertyNames') return undefined;
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    const known = Object.keys(error.parentSchema?.properties ?? {});
    return { path: [...path, name], isName: true, words: unknown(name, known) };
  }
  const subject = path.length === 0 ? 'the configuration' : path.at(-1);
  return { path, isName: false, words: `${subject}: ${needed(error)}` };
}

function unknown(name: string, known: readonly string[]): string {
  if (KEY_NAMES.test(name) && known.includes('apiKeyVariable'))
    return `${name}: a key has no place in this file; put it into an environment variable, and its name here, as in apiKeyVariable: STAGING_API_KEY`;
  const near = didYouMean(name, known);
  return `${name}: there is no such setting${near || `; the settings are ${known.join(', ')}`}`;
}

/** What a value or a name should have been. */
function needed({ keyword, params, parentSchema, data }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `${[params.type].flat().map(typeInWords).join(' or ')} is needed`;
    case 'enum':
      return `there is no ${JSON.stringify(data)}; one of ${params.allowedValues.join(', ')}${didYouMean(String(data), params.allowedValues)}`;
    case 'minimum':
      return `a whole number from ${params.limit} up is needed`;
    case 'required':
      return `${params.missingProperty} is missing`;
    case 'minProperties':
    case 'minLength':
      return 'it is empty';
    default:
      return parentSchema?.patternErrorMessage ?? 'is not as it should be';
  }
}

function typeInWords(type: string): string {
  return (
    {
      object: 'a mapping of names',
      string: 'a text',
      integer: 'a whole number',
      boolean: 'true or false',
    }[type] ?? type
  );
}
