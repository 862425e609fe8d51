import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type ContractSources, loadContract, readSources } from '../../src/contract/load.ts';
import { type Contract, ContractError } from '../../src/model/contract.ts';
import { conductBundled } from '../../src/run/bundled.ts';
import { type Conducted, judge } from '../../src/run/judging/judge-outcome.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { allChecks } from '../../suites/index.ts';
import { cases, PATIENCE } from './budget.ts';
import { hostileText } from './texts.ts';
import { changedTree, treeChange } from './trees.ts';

const sources = readSources();
const options = DEFAULT_OPTIONS;
let run: Conducted;

beforeAll(async () => {
  const contract = loadContract();
  run = await conductBundled(contract, makePlan(contract, allChecks(contract), options), options);
}, PATIENCE);

const names = ['openapi', 'requirements'] as const;
const trees = { openapi: parse(sources.openapi), requirements: parse(sources.requirements) };

/** Loads what may be no contract; what is one can be planned and judged by. Anything but a ContractError of one line is a bug. */
function load(changed: Partial<ContractSources>, isJudged = false): Contract | string {
  try {
    const contract = loadContract({ ...sources, ...changed });
    const plan = makePlan(contract, allChecks(contract), options);
    if (isJudged) judge(contract, plan, options, run);
    return contract;
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    expect(error.message).toMatch(/^[^\n\r]{1,500}$/);
    return error.message;
  } finally {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }
}

/** What YAML makes something of, alone and together. */
const yamlText = fc
  .array(
    fc.oneof(
      hostileText,
      fc.constantFrom(
        'openapi: 3.1.0',
        'paths:',
        '  /pets:',
        '    get: &a',
        '*a',
        '&a [*a, *a]',
        '<<: *a',
        '- ',
        '? ',
        ': ',
        '{',
        '}',
        '[',
        ']',
        '!!binary x',
        '!!js/function x',
        '%YAML 1.1',
        '---',
        '...',
        '|',
        '>-',
        '"',
        '\t',
        '__proto__: { polluted: true }',
        'constructor: { prototype: { polluted: true } }',
        '$ref: "#/__proto__"',
      ),
    ),
    { maxLength: 12 },
  )
  .chain((lines) => fc.constantFrom(lines.join('\n'), lines.join('')));

test(
  'any text: a contract, or one line that says why it is none',
  () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), yamlText, (name, text) => {
        load({ [name]: text });
      }),
      cases(100),
    );
  },
  PATIENCE,
);

test(
  'any change of the files of spec/: a contract that can be judged by, or one line that says why it is none',
  () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.array(treeChange, { minLength: 1, maxLength: 3 }),
        (name, changes) => {
          load({ [name]: stringify(changes.reduce<unknown>(changedTree, trees[name])) }, true);
        },
      ),
      cases(40),
    );
  },
  PATIENCE,
);

test(
  'any change of the text of spec/: a contract that can be planned, or one line that says why it is none',
  () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(40),
        fc.oneof(hostileText, yamlText),
        (name, at, take, put) => {
          const text = sources[name];
          const from = Math.floor(at * text.length);
          load({ [name]: text.slice(0, from) + put + text.slice(from + take) });
        },
      ),
      cases(60),
    );
  },
  PATIENCE,
);
