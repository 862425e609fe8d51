import { ContractError, type RatePlan, type Requirement } from '../../model/contract.ts';
import { requireForm } from '../form.ts';
import { parseYaml } from '../parse-yaml.ts';
import { listedRequirements } from '../requirements.ts';

/** What a requirements.yaml says besides the OpenAPI document. */
export interface Listed {
  plans: Readonly<Record<string, RatePlan>>;
  noun?: string;
  requirements: readonly Requirement[];
}

const NAME = 'requirements.yaml';

/** Reads the text of a requirements.yaml. @throws ContractError with one line */
export function readListed(text: string): Listed {
  const document = parseYaml(NAME, text);
  requireForm(NAME, 'requirements', document);
  const { plans = {}, noun, requirements = [] } = document;
  const listed = listedRequirements(requirements);
  const twice = listed.find(({ id }, index) => listed.slice(0, index).some((each) => each.id === id));
  if (twice) throw new ContractError(`${NAME}: ${twice.id} is listed twice; leave one out`);
  return {
    plans: plans as Listed['plans'],
    requirements: listed,
    ...(typeof noun === 'string' ? { noun } : {}),
  };
}

/**
 * The requirements of a document with those that are listed. What is listed under the id of one that the document implies says
 * how much that one binds, and in which words.
 */
export function withListed(implied: readonly Requirement[], listed: readonly Requirement[]): Requirement[] {
  const own = new Map(listed.map((each) => [each.id, each]));
  const ids = new Set(implied.map(({ id }) => id));
  const stated = implied.map((each): Requirement => {
    const other = own.get(each.id);
    if (!other) return each;
    const { level, section, statement } = other;
    // No request implies when it comes: a check of the suites has to.
    const source = each.level === 'open' && level !== 'open' ? 'listed' : each.source;
    return { ...each, level, section, statement, source };
  });
  return [...stated, ...listed.filter(({ id }) => !ids.has(id))];
}
