import { readFileSync } from 'node:fs';
import { type Contract, ContractError, type Operation, type Parameter } from '../../model/contract.ts';
import { didYouMean } from '../../model/usage-error.ts';
import { parseYaml } from '../parse-yaml.ts';
import { isObject } from '../schema.ts';

const PLACES = ['path', 'query', 'header', 'cookie'] as const;

/** The name for every operation that has a parameter of that name. */
const ALL = '*';

/**
 * A contract with the values that a file states for its operations: parameters by place and name, and a body. An operation that
 * it names may be sent with exactly these values, even if petspec could not tell its effect.
 * @param file YAML or JSON: by operation id, or method and path; `*` for all
 * @throws ContractError with one line
 */
export function withExamples(contract: Contract, file: string): Contract {
  const stated = read(file);
  const ids = contract.operations.flatMap((operation) => [operation.id, nameOf(operation)]);
  const stranger = Object.keys(stated).find((name) => name !== ALL && !ids.includes(name));
  if (stranger !== undefined)
    throw new ContractError(
      `${file}: unknown operation '${stranger}'; name an operation id, or method and path${didYouMean(stranger, ids)}`,
    );
  const statedFor = (name: string) => (Object.hasOwn(stated, name) ? stated[name] : undefined);
  const operations = contract.operations.map((operation) => {
    const ownValues = statedFor(operation.id) ?? statedFor(nameOf(operation));
    const named = ownValues === undefined ? operation : withValues(operation, ownValues, file, true);
    const sharedValues = statedFor(ALL);
    return sharedValues === undefined ? named : withValues(named, sharedValues, file, false);
  });
  return { ...contract, operations };
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

type Stated = Readonly<Record<string, unknown>>;

function read(file: string): Readonly<Record<string, Stated>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new ContractError(`${file}: ${code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`}`);
  }
  const stated = parseYaml(file, text);
  for (const [name, values] of Object.entries(stated)) {
    if (!isObject(values)) throw new ContractError(`${file}: ${name} is not a mapping`);
    const places: readonly string[] = name === ALL ? PLACES : [...PLACES, 'body'];
    const stranger = Object.keys(values).find((place) => !places.includes(place));
    if (stranger !== undefined)
      throw new ContractError(
        `${file}: ${name}: unknown name '${stranger}'; expected one of ${places.join(', ')}`,
      );
  }
  return stated as Record<string, Stated>;
}

function withValues(operation: Operation, stated: Stated, file: string, isNamed: boolean): Operation {
  const parameters = [...operation.parameters];
  for (const place of PLACES) {
    const values = stated[place];
    if (values === undefined) continue;
    if (!isObject(values)) throw new ContractError(`${file}: ${operation.id}: ${place} is not a mapping`);
    for (const [name, value] of Object.entries(values)) {
      const at = parameters.findIndex((candidate) => candidate.in === place && isSame(candidate, name));
      const parameter = parameters[at];
      if (parameter && !(parameter.isStated && !isNamed))
        parameters[at] = { ...parameter, example: value, isStated: true };
      else if (!parameter && isNamed)
        throw new ContractError(
          `${file}: ${operation.id} has no ${place} parameter '${name}'${didYouMean(
            name,
            parameters.filter((candidate) => candidate.in === place).map((candidate) => candidate.name),
          )}`,
        );
    }
  }
  if (stated.body !== undefined && !operation.body)
    throw new ContractError(`${file}: ${operation.id} has no request body`);
  return {
    ...operation,
    parameters,
    ...(isNamed ? { isAllowed: true } : {}),
    ...(operation.body && stated.body !== undefined
      ? { body: { ...operation.body, example: stated.body, isStated: true } }
      : {}),
  };
}

/** Names of headers are case-insensitive. */
function isSame(parameter: Parameter, name: string): boolean {
  return parameter.in === 'header'
    ? parameter.name.toLowerCase() === name.toLowerCase()
    : parameter.name === name;
}
