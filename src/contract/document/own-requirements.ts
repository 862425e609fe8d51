import { ContractError, type Level, type RatePlan, type Requirement } from '../../model/contract.ts';
import { requireForm } from '../form.ts';
import { parseYaml } from '../parse-yaml.ts';
import { isObject } from '../schema.ts';
import { newestOf, sinceOf } from '../sets.ts';

/** The content of a requirements.yaml. */
export interface Listed {
  plans: Readonly<Record<string, RatePlan>>;
  /** The noun for what a run may create, in the singular. */
  noun: string;
  /** Whether the document and the sentences say when each documented response is due. */
  isComplete: boolean;
  requirements: readonly Requirement[];
}

const NAME = 'requirements.yaml';

/** Parses the text of a requirements.yaml. @throws ContractError with one line if it does not have the form of one */
export function parseListed(text: string): Readonly<Record<string, unknown>> {
  const document = parseYaml(NAME, text);
  requireForm(NAME, 'requirements', document);
  return document;
}

/** The content of a requirements.yaml, or the defaults without one. @throws ContractError with one line */
export function listedIn(document: Readonly<Record<string, unknown>> = {}): Listed {
  const { plans = {}, noun, complete, requirements = [] } = document;
  const listed = listedRequirements(requirements);
  const twice = listed.find(({ id }, index) => listed.slice(0, index).some((earlier) => earlier.id === id));
  if (twice) throw new ContractError(`${NAME}: ${twice.id} is listed twice; leave one out`);
  return {
    plans: plans as Listed['plans'],
    requirements: listed,
    noun: typeof noun === 'string' ? noun : 'thing',
    isComplete: complete === true,
  };
}

/**
 * The implied requirements with the listed ones. A listed requirement with the id of an implied one replaces its level, section
 * and statement.
 */
export function withListed(implied: readonly Requirement[], listed: readonly Requirement[]): Requirement[] {
  const listedById = new Map(listed.map((requirement) => [requirement.id, requirement]));
  const ids = new Set(implied.map(({ id }) => id));
  const stated = implied.map((requirement): Requirement => {
    const override = listedById.get(requirement.id);
    if (!override) return requirement;
    const { level, section, statement } = override;
    // No document says when it is due: a check of the suites has to judge it.
    const source = requirement.level === 'open' && level !== 'open' ? 'listed' : requirement.source;
    return { ...requirement, level, section, statement, source };
  });
  return [...stated, ...listed.filter(({ id }) => !ids.has(id))];
}

/** The requirements that requirements.yaml lists. @throws ContractError for an incomplete entry */
function listedRequirements(source: unknown): Requirement[] {
  if (!Array.isArray(source)) throw new ContractError('requirements.yaml: `requirements` is not a list');
  return source.map((entry, index) => {
    const fields = isObject(entry) ? entry : {};
    const { id, level, section, statement, operation, since } = fields;
    if (
      typeof id !== 'string' ||
      typeof section !== 'string' ||
      typeof statement !== 'string' ||
      !isLevel(level)
    ) {
      throw new ContractError(
        `requirements.yaml: entry ${index + 1} (${typeof id === 'string' ? id : 'no id'}) needs id, level, section and statement`,
      );
    }
    return {
      id,
      level,
      section,
      statement,
      source: 'listed',
      since: newestOf([sinceOf(since, `requirements.yaml: ${id}`)]),
      operation: typeof operation === 'string' ? operation : undefined,
    };
  });
}

function isLevel(value: unknown): value is Level {
  return value === 'must' || value === 'should' || value === 'open';
}
