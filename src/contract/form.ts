import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ContractError } from '../model/contract.ts';
import { isDeeper } from '../model/json.ts';

const text = { type: 'string' };
const name = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const number = { type: 'number' };
const texts = { type: 'array', items: text, uniqueItems: true };
/** Probes have texts of these lengths. */
const length = { type: 'integer', minimum: 0, maximum: 100_000 };
/** The version of petspec that introduced something. */
const version = { type: 'string', pattern: '^[0-9]+[.][0-9]+[.][0-9]+$' };
const scalar = { type: ['string', 'number', 'boolean', 'null'] };
const anything = { type: 'object' };
const mapOf = (values: object, names: object = {}) => ({
  type: 'object',
  propertyNames: names,
  additionalProperties: values,
});
const defined = (what: string) => ({ $ref: `#/$defs/${what}` });

/** The thing itself, or a reference to a component. Other keys beside a reference would be ignored, so they are refused. */
const orReference = (kind: string, own: object) => ({
  if: { type: 'object', required: ['$ref'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    additionalProperties: false,
    properties: {
      $ref: { type: 'string', pattern: `^#/components/${kind}/[^/]+$` },
      summary: text,
      description: text,
      'x-since': version,
    },
  },
  else: own,
});

/** Formats that petspec can judge. Any other would silently not be judged. */
const FORMATS = [
  ...['int32', 'int64', 'float', 'double', 'http-date', 'iso-8601-timestamp', 'date-time', 'date', 'time'],
  ...['duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference', 'uuid', 'byte'],
];

const SCALAR_KEYWORDS = {
  type: { enum: ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'] },
  format: { enum: FORMATS },
  title: text,
  description: text,
  enum: { type: 'array', minItems: 1, uniqueItems: true, items: scalar },
  const: scalar,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  minLength: length,
  maxLength: length,
  pattern: { type: 'string', format: 'regex' },
};

/** The keywords of JSON Schema that petspec derives from. Others would be ignored, so they are refused. */
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...SCALAR_KEYWORDS,
    default: true,
    example: true,
    examples: true,
    deprecated: flag,
    items: defined('schema'),
    minItems: length,
    maxItems: length,
    uniqueItems: flag,
    properties: mapOf(defined('schema'), name),
    required: texts,
    allOf: { type: 'array', minItems: 1, items: defined('schema') },
    // References are replaced only in properties, items and allOf.
    oneOf: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', additionalProperties: false, properties: SCALAR_KEYWORDS },
    },
    'x-section': text,
    'x-unspecified': texts,
    'x-reference': flag,
    'x-equals': { const: 'http-status' },
    // For the whole schema, or by keyword.
    'x-since': { anyOf: [version, mapOf(version)] },
  },
};

const HEADER = {
  type: 'object',
  required: ['schema'],
  properties: {
    description: text,
    required: flag,
    schema: defined('schema'),
    'x-section': text,
    'x-since': version,
  },
};

const CONTENT = mapOf({
  type: 'object',
  required: ['schema'],
  properties: { schema: defined('schema') },
});

const LINK = {
  type: 'object',
  properties: { operationId: name, parameters: mapOf(text) },
};

const RESPONSE = {
  type: 'object',
  properties: {
    description: text,
    headers: mapOf(defined('header'), { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }),
    content: CONTENT,
    links: mapOf(LINK),
    'x-section': text,
    'x-since': version,
  },
};

const PARAMETER = {
  type: 'object',
  required: ['name', 'in', 'schema'],
  properties: {
    name,
    in: { enum: ['path', 'query'] },
    required: flag,
    schema: defined('schema'),
    'x-since': version,
  },
};

const servers = {
  type: 'array',
  minItems: 1,
  items: { type: 'object', required: ['url'], properties: { url: text } },
};
const parameters = { type: 'array', items: defined('parameter') };

const OPERATION = {
  type: 'object',
  required: ['operationId', 'responses'],
  properties: {
    operationId: name,
    parameters,
    servers,
    security: { type: 'array', items: anything },
    deprecated: flag,
    requestBody: {
      type: 'object',
      required: ['content'],
      properties: { required: flag, content: { ...CONTENT, minProperties: 1 }, 'x-unspecified': texts },
    },
    responses: { ...mapOf(defined('response'), { pattern: '^[1-5](?:[0-9]{2}|XX)$' }), minProperties: 1 },
    'x-section': text,
    'x-since': version,
    'x-removal': { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
  },
};

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const PATH_ITEM = {
  type: 'object',
  properties: {
    parameters,
    servers,
    'x-since': version,
    ...Object.fromEntries(methods.map((each) => [each, OPERATION])),
  },
  // petspec does not follow this reference.
  not: { required: ['$ref'] },
};

/** The part of OpenAPI 3.1 that petspec supports. */
const OPENAPI = {
  type: 'object',
  required: ['info', 'paths'],
  properties: {
    info: { type: 'object', required: ['version'], properties: { version: name } },
    servers,
    security: { type: 'array', items: anything },
    paths: mapOf(PATH_ITEM, { pattern: '^/' }),
    components: {
      type: 'object',
      properties: {
        headers: mapOf(defined('header')),
        parameters: mapOf(defined('parameter')),
        responses: mapOf(defined('response')),
        schemas: mapOf(defined('schema')),
      },
    },
  },
  $defs: {
    schema: orReference('schemas', SCHEMA),
    header: orReference('headers', HEADER),
    parameter: orReference('parameters', PARAMETER),
    response: orReference('responses', RESPONSE),
  },
};

const figure = { type: 'integer', minimum: 1 };

/** The form of requirements.yaml. Its requirements are checked elsewhere, with errors that name the entry. */
const REQUIREMENTS = {
  type: 'object',
  required: ['plans', 'requirements'],
  properties: {
    plans: mapOf(
      { type: 'object', additionalProperties: false, properties: { minute: figure, day: figure } },
      name,
    ),
    requirements: { type: 'array' },
  },
};

const FORMS = { openapi: OPENAPI, requirements: REQUIREMENTS };
const validators = new Map<object, ValidateFunction>();

/** Compiles a form when it is first needed: that takes longer than loading the interface. */
function validatorOf(form: object): ValidateFunction {
  const known = validators.get(form);
  if (known) return known;
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true });
  // The package is CommonJS: under ESM its function is the default of the default.
  (addFormats as unknown as { default: (instance: unknown) => void }).default(ajv);
  const validate = ajv.compile(form);
  validators.set(form, validate);
  return validate;
}

/** Deeper than any interface needs. Recursive functions walk what is built from it. */
const MAX_DEPTH = 64;

/**
 * Checks that a file of the interface has the form that loading relies on.
 * @param file its name, for the error
 * @throws ContractError that says where and what is wrong
 */
export function requireForm(file: string, form: keyof typeof FORMS, value: unknown): void {
  if (isDeeper(value, MAX_DEPTH))
    throw new ContractError(`${file}: nested more than ${MAX_DEPTH} levels deep, or contains itself`);
  const validate = validatorOf(FORMS[form]);
  if (validate(value)) return;
  const [first] = validate.errors ?? [];
  throw new ContractError(`${file}: ${first ? words(first) : 'unexpected form'}`);
}

function words({ instancePath, message, params }: ErrorObject): string {
  const stranger = params.additionalProperty ?? params.propertyName;
  const where = instancePath === '' ? 'it' : instancePath;
  return `${where} ${message}${stranger === undefined ? '' : `: ${stranger}`}`;
}
