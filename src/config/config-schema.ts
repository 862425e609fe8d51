import { type OptionRow, optionRows } from '../run/settings/option-table.ts';
import { EXHAUSTIBLE } from '../run/settings/values.ts';

/** Editors and petspec show the patternErrorMessage instead of the pattern. */
const baseUrlLike = (example: string) => ({
  type: 'string',
  pattern: '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$',
  patternErrorMessage: `must be an http or https URL without user, query and fragment, such as ${example}`,
});

const TEXT = { type: 'string', minLength: 1 };

/** The JSON Schema for the value of an option, where a target may have it as a setting. */
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

/** Settings of a target that no option has under the same name. */
const OWN = {
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

/** The settings of a target, each as a JSON Schema with its description: those of its own, and those that are options. */
export function settingSchemas(): Readonly<Record<string, { description: string }>> {
  const options = optionRows.flatMap(([name, row]) => {
    const schema = BY_KIND[row.kind];
    if (row.setting === undefined || !schema) return [];
    const standard = row.default === undefined ? {} : { default: row.default };
    return [[name, { description: descriptionOf(row), ...schema, ...standard }] as const];
  });
  const { baseUrl, ...others } = OWN;
  return { baseUrl, ...Object.fromEntries(options), ...others };
}

/** What a setting means, as a sentence that names other settings in place of options. */
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
