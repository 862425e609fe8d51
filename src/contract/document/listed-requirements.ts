import { ContractError, type Level, type Requirement } from '../../model/contract.ts';
import { isObject } from '../schema.ts';
import { newestOf, sinceOf } from '../sets.ts';

/** The requirements that requirements.yaml lists. @throws ContractError for an incomplete entry */
export function listedRequirements(source: unknown): Requirement[] {
  if (!Array.isArray(source)) throw new ContractError('requirements.yaml: `requirements` is not a list');
  return source.map((entry, index) => {
    const each = isObject(entry) ? entry : {};
    const { id, level, section, statement, operation, since } = each;
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
