import { Command } from 'commander';
import { type Reading, readingsOf } from '../../contract/document/readings.ts';
import { type Contract, ContractError, type Level, type Requirement } from '../../model/contract.ts';
import { counted } from '../../model/report/report.ts';
import { didYouMean, UsageError } from '../../model/usage-error.ts';
import { visible } from '../../model/visible.ts';
import { paragraph } from '../../report/text/style.ts';
import { interfaceOf } from '../../run/contract-of.ts';

/** A fault or a variant that marks the border of a requirement. */
interface Marking {
  id: string;
  summary: string;
}

/** A requirement with everything that says how it is read. */
interface Explained extends Requirement, Partial<Omit<Reading, 'variants'>> {
  /** The place in a file of the interface that it comes from. */
  place: string;
  /** Faults of the reference that violate it. */
  faults: readonly Marking[];
  /** Variants of the reference that look similar and conform. */
  variants: readonly Marking[];
}

/** `petspec explain`: how petspec reads a requirement. */
export function explainCommand(): Command {
  return new Command('explain')
    .argument('<id>', 'id of a requirement, as reports name it')
    .description(
      'Explains how petspec reads a requirement: the sentence of the interface, its level and section, what else it could mean and why petspec does not read it so, and the faults and variants of the reference that mark the border.',
    )
    .option('--interface <path>', 'OpenAPI 3.0, 3.1 or 3.2 document, or its folder, that has the requirement')
    .option('--json', 'print JSON, with every fault')
    .addHelpText(
      'after',
      '\nExamples:\n  petspec explain listPets.limit\n  petspec explain authentication.first --json\n  petspec explain listTasks.200 --interface openapi.yaml',
    )
    .action(async (id: string, flags: { interface?: string; json?: boolean }) => {
      const explained = await explain(id, flags.interface);
      const text = flags.json ? JSON.stringify(explained, null, 2) : renderExplained(explained);
      process.stdout.write(`${text}\n`);
    });
}

/** @throws UsageError if the interface has no such requirement */
async function explain(id: string, path: string | undefined): Promise<Explained> {
  const { contract } = await interfaceOf({ interface: path });
  const requirements = [...contract.requirements, ...(path === undefined ? await ofClients(contract) : [])];
  const requirement = requirements.find((candidate) => candidate.id === id);
  const ids = requirements.map((candidate) => candidate.id);
  if (!requirement)
    throw new UsageError(
      `unknown requirement '${id}'${didYouMean(id, ids) || `; petspec requirements${path === undefined ? '' : ` --interface ${path}`} lists them`}`,
    );
  const { of: readingOf, placeOf } = await readings(contract, path);
  const { variants: similar = [], ...reading } = readingOf[id] ?? {};
  return {
    ...requirement,
    place: placeOf(requirement),
    ...reading,
    ...(path === undefined ? await border(id, similar) : { faults: [], variants: [] }),
  };
}

async function ofClients(contract: Contract): Promise<readonly Requirement[]> {
  return (await import('../../client/judge-client.ts')).clientRequirements(contract);
}

/** @throws UsageError if the files of the interface changed since they were read */
async function readings(contract: Contract, path: string | undefined) {
  try {
    return await readingsOf(contract, path);
  } catch (error) {
    if (error instanceof ContractError) throw new UsageError(`--interface: ${error.message}`);
    throw error;
  }
}

/** The faults and variants at the border of a requirement: only the bundled interface has a reference with these. */
async function border(
  id: string,
  similar: readonly string[],
): Promise<Pick<Explained, 'faults' | 'variants'>> {
  const { faults, variants, open } = (await import('../../selfcheck/catalogue.ts')).bundledCatalogue;
  const ids = new Set([...similar, ...(open[id] ?? [])]);
  const marking = ({ id: markingId, summary }: Marking): Marking => ({ id: markingId, summary });
  return {
    faults: faults.filter(({ violates }) => violates.includes(id)).map(marking),
    variants: variants.filter((variant) => ids.has(variant.id)).map(marking),
  };
}

/** The most faults, and the most variants, that the text lists. */
const MAX_MARKINGS = 8;

const LEVELS: Readonly<Record<Level, string>> = {
  must: 'must: a service that violates it does not conform',
  should: 'should: good practice; a violation is an advisory',
  open: 'open: the interface leaves it open, so every service conforms; petspec records what it does',
};

const PLAIN = 'petspec knows of no other reading: the requirement above is the sentence in plain words.';

/** The explanation as text, within the width of the terminal. */
function renderExplained(explained: Explained): string {
  const { id, level, section, statement, place, sentence, reading, not = [], faults, variants } = explained;
  const width = process.stdout.columns || Number.POSITIVE_INFINITY;
  const indented = (text: string, indent = 2) => paragraph(' '.repeat(indent), visible(text), indent, width);
  const block = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', title, ...lines];
  return [
    paragraph('', visible(`${id}: ${statement}`), 2, width),
    indented(LEVELS[level]),
    indented(`section: ${section}`),
    indented(`from: ${place}`),
    ...block('The interface says', sentence === undefined ? [] : [indented(sentence)]),
    ...block('petspec reads', reading !== undefined || level !== 'open' ? [indented(reading ?? PLAIN)] : []),
    ...block(
      'It could also mean',
      not.flatMap(({ reading: meaning, because }) => [indented(meaning), indented(`But: ${because}`, 4)]),
    ),
    ...block(`${counted(faults.length, 'fault')} of the reference that violate it`, marked(faults, indented)),
    ...block('Variants of the reference that look similar and conform', marked(variants, indented)),
  ].join('\n');
}

function marked(markings: readonly Marking[], indented: (text: string) => string): string[] {
  const unlisted = markings.length - MAX_MARKINGS;
  return [
    ...markings.slice(0, MAX_MARKINGS).map(({ id, summary }) => indented(`${id}: ${summary}`)),
    ...(unlisted > 0 ? [indented(`and ${unlisted} more; --json lists all`)] : []),
  ];
}
