import { type Found, keyOf, outcomeOf, RUNS } from './found.ts';
import { DEFAULT_RUN, faultsOf, type PlantedFault, STORES, type Store, type StoreRun } from './stores.ts';

const BEGIN = '<!-- stores -->';
const END = '<!-- /stores -->';

/** In place of why a fault was missed. */
export const UNEXPLAINED = 'not explained';

/** What was found in the stores of examples/, as a table, and below it each fault that a default run missed. */
function tableOf(found: ReadonlyMap<string, Found>): string {
  const missed = STORES.flatMap((store) =>
    faultsOf(store)
      .filter((fault) => outcomeIn(found, store, fault, DEFAULT_RUN) === 'missed')
      .map(({ what, id, missed: why }) => `- ${what} (\`${id}\`): ${why ?? UNEXPLAINED}`),
  );
  return [
    '| implementation | made of | plan | faults | found by a requirement that was named | by another one | missed |',
    '|---|---|---|---|---|---|---|',
    ...STORES.flatMap((store) => RUNS.flatMap((run) => rowOf(found, store, run) ?? [])),
    '',
    'What a default run on the Free plan missed, and why:',
    '',
    ...missed,
  ].join('\n');
}

/** The figures of a run; undefined if it was not tried with each fault. */
function rowOf(found: ReadonlyMap<string, Found>, store: Store, run: StoreRun): string | undefined {
  const outcomes = faultsOf(store).map((fault) => outcomeIn(found, store, fault, run));
  if (outcomes.includes('untried')) return undefined;
  const figures = (['found', 'by another', 'missed'] as const).map(
    (wanted) => outcomes.filter((each) => each === wanted).length,
  );
  const plan = `${run.plan}${run.frugal ? ', `--frugal`' : ''}`;
  return `| ${[`\`${store.name}\``, store.made, plan, outcomes.length, ...figures].join(' | ')} |`;
}

function outcomeIn(found: ReadonlyMap<string, Found>, store: Store, fault: PlantedFault, run: StoreRun) {
  const result = found.get(keyOf(store.name, fault.id, run));
  return result ? outcomeOf(fault, result) : 'untried';
}

/** The page with the table between its marks. @throws Error where the page has no such marks */
export function withStores(page: string, found: ReadonlyMap<string, Found>): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no ${BEGIN} ... ${END}`);
  return `${before}${BEGIN}\n\n${tableOf(found)}\n\n${END}${after}`;
}
