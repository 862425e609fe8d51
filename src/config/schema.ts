import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ajvWith } from '../model/ajv.ts';
import { segmentsOf } from '../model/json.ts';
import { didYouMean } from '../model/usage-error.ts';
import { type OptionRow, optionRows } from '../run/settings/option-table.ts';
import { EXHAUSTIBLE } from '../run/settings/values.ts';

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
  return (isConfig.errors ?? []).map(mistakeOf).filter((mistake) => mistake !== undefined);
}

function mistakeOf(error: ErrorObject): ConfigMistake | undefined {
  const { keyword, params, propertyName } = error;
  const path = segmentsOf(error.instancePath);
  if (propertyName !== undefined)
    return { path: [...path, propertyName], isName: true, words: `'${propertyName}' ${problemOf(error)}` };
  // The mistake inside has an error of its own.
  if (keyword === 'propertyNames' || keyword === 'if') return undefined;
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    const allowed = Object.keys(error.parentSchema?.properties ?? {});
    return { path: [...path, name], isName: true, words: unknownSetting(name, allowed) };
  }
  const subject = path.length === 0 ? 'the configuration' : `'${path.at(-1)}'`;
  return { path, isName: false, words: `${subject} ${problemOf(error)}` };
}

function unknownSetting(name: string, allowed: readonly string[]): string {
  if (KEY_NAMES.test(name) && allowed.includes('apiKeyVariable'))
    return `'${name}' is not allowed; put the key into an environment variable, and the name of the variable here, as in apiKeyVariable: STAGING_API_KEY`;
  if (name === 'sandbox')
    return "'sandbox' is not allowed; repeat the host of the target on the command line, with --sandbox <host:port>";
  return `unknown setting '${name}'${didYouMean(name, allowed) || `; expected one of ${allowed.join(', ')}`}`;
}

/** The problem with a value or a name, as the predicate of a sentence. */
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

/** Editors and petspec show the patternErrorMessage instead of the pattern. */
const baseUrlLike = (example: string) => ({
  type: 'string',
  pattern: '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$',
  patternErrorMessage: `must be an http or https URL without user, query and fragment, such as ${example}`,
});

const TEXT = { type: 'string', minLength: 1 };

/** The JSON Schemas of settings, by the kind of their option. */
const BY_KIND: Readonly<Partial<Record<OptionRow['kind'], object>>> = {
  switch: { type: 'boolean' },
  count: { type: 'integer', minimum: 1 },
  text: TEXT,
  path: TEXT,
  file: TEXT,
  address: baseUrlLike('https://messages.example.com'),
  int64: {
    type: ['integer', 'string'],
    pattern: '^-?[0-9]{1,19}$',
    patternErrorMessage: 'must be an int64',
  },
  window: { type: 'string', enum: EXHAUSTIBLE },
};

/** Settings of a target that are not options of the same name. */
const FURTHER = {
  baseUrl: {
    description: 'Base URL of the service. The interface says that it ends with /v1.',
    ...baseUrlLike('https://staging.example.com/v1'),
  },
  servers: {
    description: 'Base URLs of the other servers of the interface, by name. apiUrl is the one named apiUrl.',
    type: 'object',
    additionalProperties: baseUrlLike('https://files.example.com'),
  },
  apiKeyVariable: {
    description:
      'NAME of the environment variable with the API key. Never put the key itself into this file.',
    type: 'string',
    pattern: '^[A-Z_][A-Z0-9_]*$',
    patternErrorMessage:
      'must be the name of an environment variable in upper case, such as STAGING_API_KEY, and never the key itself',
    default: 'PETSPEC_API_KEY',
  },
  headers: {
    description: 'Headers to send with every request, for example for a gateway.',
    type: 'object',
    propertyNames: {
      pattern: "^(?![Aa][Uu][Tt][Hh][Oo][Rr][Ii][Zz][Aa][Tt][Ii][Oo][Nn]$)[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
      patternErrorMessage:
        'is not a header name that can be set (Authorization carries the API key; see apiKeyVariable)',
    },
    additionalProperties: {
      type: 'string',
      pattern: '^[\\t\\x20-\\x7e\\xa0-\\xff]*$',
      patternErrorMessage: 'has characters that a header cannot contain',
    },
  },
};

/** The JSON Schemas of a target's settings, with their descriptions. */
export function settingSchemas(): Readonly<Record<string, { description: string }>> {
  const options = optionRows.flatMap(([name, row]) => {
    const schema = BY_KIND[row.kind];
    if (row.setting === undefined || !schema) return [];
    const standard = row.default === undefined ? {} : { default: row.default };
    return [[name, { description: descriptionOf(row), ...schema, ...standard }] as const];
  });
  const { baseUrl, ...rest } = FURTHER;
  return { baseUrl, ...Object.fromEntries(options), ...rest };
}

/** The meaning of a setting, as a sentence that names settings in place of options. */
function descriptionOf({ words, setting, kind }: OptionRow): string {
  const meaning = typeof setting === 'string' ? setting : words;
  const named = meaning.replaceAll(/--([a-z]+(?:-[a-z]+)*)/g, (_, option: string) =>
    option.replaceAll(/-([a-z])/g, (__, letter: string) => letter.toUpperCase()),
  );
  const place = kind === 'path' || kind === 'file' ? ' Relative to this file.' : '';
  return `${named.replace(/^[a-z]/, (letter) => letter.toUpperCase())}.${place}`;
}

/** Without an interface of its own, a target has one of the plans of the animal store. */
const bundledPlan = { $ref: '#/definitions/bundledPlan' };

/** The JSON Schema of petspec.config.yaml, by which petspec reads it and editors complete it. */
export function configSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'urn:petspec:config:1',
    title: 'petspec.config.yaml',
    description: 'The targets that petspec judges, by name.',
    type: 'object',
    required: ['targets'],
    additionalProperties: false,
    if: {
      not: {
        required: ['defaults'],
        properties: { defaults: { type: 'object', required: ['interface'] } },
      },
    },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: {
      properties: {
        defaults: bundledPlan,
        targets: { type: 'object', additionalProperties: bundledPlan },
      },
    },
    properties: {
      defaults: { $ref: '#/definitions/target' },
      targets: {
        description: 'Targets by name, as in: petspec run staging.',
        type: 'object',
        minProperties: 1,
        propertyNames: {
          pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
          patternErrorMessage: 'is not a valid name; use lower-case letters, digits, - and _, at most 63',
        },
        additionalProperties: { $ref: '#/definitions/target' },
      },
    },
    definitions: {
      target: {
        description:
          'A target, or, under `defaults`, the settings of every target that does not override them.',
        type: 'object',
        additionalProperties: false,
        properties: settingSchemas(),
      },
      bundledPlan: {
        type: 'object',
        if: { not: { required: ['interface'] } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: { properties: { plan: { enum: ['free', 'pro', 'business', 'enterprise'] } } },
      },
    },
  };
}
