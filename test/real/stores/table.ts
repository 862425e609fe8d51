import { type Found, outcomeOf } from './found.ts';
import { faultsOf, STORES } from './stores.ts';

const BEGIN = '<!-- stores -->';
const END = '<!-- /stores -->';

/** In place of why a fault was missed. */
export const UNEXPLAINED = 'not explained';

/** What was found in the stores of examples/, as a table, and below it each fault that was missed. */
function tableOf(found: ReadonlyMap<string, Found>): string {
  const rows: string[] = [];
  const missed: string[] = [];
  for (const store of STORES) {
    const faults = faultsOf(store);
    const count = { found: 0, 'by another': 0, missed: 0 };
    for (const fault of faults) {
      const result = found.get(`${store.name} ${fault.id}`);
      const outcome = result ? outcomeOf(fault, result) : 'missed';
      count[outcome] += 1;
      if (outcome === 'missed')
        missed.push(`- ${fault.what} (\`${fault.id}\`): ${fault.missed ?? UNEXPLAINED}`);
    }
    const figures = [faults.length, count.found, count['by another'], count.missed];
    rows.push(`| ${[`\`${store.name}\``, store.made, ...figures].join(' | ')} |`);
  }
  return [
    '| implementation | made of | faults | found by a requirement that was named | by another one | missed |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    'What a default run missed, and why:',
    '',
    ...missed,
  ].join('\n');
}

/** The page with the table between its marks. @throws Error where the page has no such marks */
export function withStores(page: string, found: ReadonlyMap<string, Found>): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no ${BEGIN} ... ${END}`);
  return `${before}${BEGIN}\n\n${tableOf(found)}\n\n${END}${after}`;
}
