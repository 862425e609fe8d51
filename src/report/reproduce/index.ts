import type { Finding } from '../../model/finding.ts';
import type { RequirementResult } from '../../model/report/report.ts';
import { type Reproduction, requestsIn, type Unrepeatable } from '../../model/report/reproduction.ts';
import { reproductionOf } from '../../reproduction/reproduction.ts';
import type { Source } from '../../reproduction/steps.ts';
import { boundedReproduction } from '../bounds.ts';
import type { CommandSettings } from '../curl.ts';
import { unknownVariables } from './command.ts';
import { linesOf } from './script.ts';
import { warningOf } from './warning.ts';

/** What a reproduction is printed with. */
export interface Printing extends Pick<Source, 'contract'> {
  settings: CommandSettings;
  /** What drew how the requests of the run vary. */
  seed?: number | undefined;
  /** Whether a run found it, which can be repeated. */
  isRun?: true;
}

type Printed = NonNullable<RequirementResult['reproduce']>;

/** The script that shows a finding again, or the reason why no script can. */
export function reproduced(
  finding: Finding,
  source: Source,
  printing: Printing,
): Pick<RequirementResult, 'reproduce' | 'unrepeatable'> {
  const reproduction = reproductionOf(finding, source);
  if (typeof reproduction === 'string')
    return { unrepeatable: { because: reproduction, text: wordsOf(reproduction, finding, printing) } };
  const printed = reproduction && boundedReproduction(print(reproduction, finding, printing));
  return printed ? { reproduce: printed } : {};
}

const REASONS: Readonly<Record<Unrepeatable, string>> = {
  race: 'it shows between requests that go out together',
  removed: 'it is about a record that was removed since',
};

function wordsOf(because: Unrepeatable, { evidence }: Finding, { isRun }: Printing): string {
  const again = isRun ? '; a run with --only-violated looks for it again' : '';
  return `no command repeats exchange ${evidence[0]}: ${REASONS[because]}${again}`;
}

/** A reproduction as a script, and what its user has to know before. */
export function print(
  reproduction: Reproduction,
  { variation }: Pick<Finding, 'variation'>,
  { settings, seed, contract }: Printing,
): Printed {
  const warning = warningOf(reproduction, { contract });
  const unknown = unknownVariables(requestsIn(reproduction)).map(
    (name) => `# set ${name} first: petspec does not store the values of your own headers`,
  );
  // The same seed draws the variation again.
  const drawn = variation && seed !== undefined ? [`# drawn by --seed ${seed}: ${variation.join(', ')}`] : [];
  return {
    script: [...unknown, ...drawn, ...linesOf(reproduction, settings)].join('\n'),
    warning,
  };
}
