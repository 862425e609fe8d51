import { createRequire } from 'node:module';
import type { YAMLError } from 'yaml';
import { ContractError } from '../model/contract.ts';
import { isUtf16, SAVE_AS_UTF8 } from '../model/file-error.ts';
import { isObject } from './schema.ts';

const require = createRequire(import.meta.url);

/** Aliases that are resolved, including nested ones. More look like an attack. */
const MAX_ALIASES = 1_000;

/** Loads yaml on first use: the build has parsed the bundled interface. */
export function yaml(): typeof import('yaml') {
  return require('yaml');
}

/**
 * Parses YAML 1.2 with text keys, and `<<` of YAML 1.1, which documents still use. A warning (an unknown tag or directive) is
 * an error, as its content would be lost.
 */
export function parseYaml(file: string, text: string): Readonly<Record<string, unknown>> {
  if (isUtf16(text)) throw new ContractError(`${file}: ${SAVE_AS_UTF8}`);
  const document = yaml().parseDocument(text, { stringKeys: true, merge: true, logLevel: 'silent' });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) {
    const { line, col } = problem.linePos?.[0] ?? { line: 1, col: 1 };
    throw new ContractError(`${file}:${line}:${col}: ${wordsFor(problem, text)}`);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    const reason =
      error instanceof ReferenceError
        ? `an alias has no anchor, or there are more than ${MAX_ALIASES} aliases, counting those within others`
        : error instanceof Error
          ? error.message
          : error;
    throw new ContractError(`${file}: ${reason}`);
  }
  if (!isObject(value)) throw new ContractError(`${file}:1:1: not a mapping`);
  return value;
}

/** What is wrong, and the fix for the most frequent mistakes. */
function wordsFor({ code, message, pos }: Pick<YAMLError, 'code' | 'message' | 'pos'>, text: string): string {
  const key = /^\s*(?:- )?(["']?)([^\n]{1,100}?)\1\s*:(?:\s|$)/.exec(text.slice(pos[0]))?.[2];
  const named = key === undefined ? '' : ` '${key}'`;
  if (code === 'DUPLICATE_KEY') return `the key${named} is there twice; keep one of the two`;
  if (code === 'TAB_AS_INDENT') return `a tab stands before${named || ' the text'}; YAML wants spaces there`;
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? '';
}
