import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ajvWith } from '../model/ajv.ts';
import { ContractError } from '../model/contract.ts';
import { isDeeper } from '../model/json.ts';
import { packageRoot } from '../model/package-root.ts';
import { yaml } from './parse-yaml.ts';

/** The form of each file of an interface, as a JSON Schema. */
const FORMS = {
  openapi: 'spec/openapi.schema.yaml',
  requirements: 'petspec.requirements.schema.json',
} as const;

type Form = keyof typeof FORMS;

const validators = new Map<Form, ValidateFunction>();

/** Compiles a form when it is first needed: that takes longer than loading the interface. */
function validatorOf(form: Form): ValidateFunction {
  const compiled = validators.get(form);
  if (compiled) return compiled;
  const schema = yaml().parse(readFileSync(join(packageRoot, FORMS[form]), 'utf8'), {
    merge: true,
  });
  const ajv = ajvWith({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true });
  const validate = ajv.compile(schema);
  validators.set(form, validate);
  return validate;
}

/** Deeper than any interface. Recursive functions walk what is built from it. */
const MAX_DEPTH = 64;

/**
 * Checks that a file of the interface has the form that loading relies on.
 * @param file its name, for the error
 * @throws ContractError that says where and what is wrong
 */
export function requireForm(file: string, form: Form, value: unknown): void {
  if (isDeeper(value, MAX_DEPTH))
    throw new ContractError(`${file}: nested more than ${MAX_DEPTH} levels deep, or contains itself`);
  const validate = validatorOf(form);
  if (validate(value)) return;
  const [first] = validate.errors ?? [];
  throw new ContractError(`${file}: ${first ? words(first) : 'unexpected form'}`);
}

function words({ instancePath, message, params }: ErrorObject): string {
  const stranger = params.additionalProperty ?? params.propertyName;
  const where = instancePath === '' ? 'it' : instancePath;
  return `${where} ${message}${stranger === undefined ? '' : `: ${stranger}`}`;
}
