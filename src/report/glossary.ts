/** A word of the results, explained. */
export interface GlossaryEntry {
  /** In anchors. */
  key: string;
  word: string;
  /** Names of options and levels are between backticks. */
  meaning: string;
}

/** The words of the results. docs/glossary.md has the same sentences. */
export const GLOSSARY = [
  {
    key: 'violated',
    word: 'Violated',
    meaning:
      'The service contradicts a requirement of level `must`. One violation makes the run non-conformant.',
  },
  {
    key: 'advisory',
    word: 'Advisory',
    meaning:
      'The service departs from good practice, a requirement of level `should`. An advisory changes the verdict only with `--strict`, where it counts as a violation.',
  },
  {
    key: 'not-tested',
    word: 'Not tested',
    meaning: 'The run did not judge the requirement. The report says why.',
  },
  {
    key: 'unexercised',
    word: 'Not exercised',
    meaning:
      'Met, but nothing in the run could have shown a violation: a list of three entries cannot exceed a page size of 100.',
  },
  {
    key: 'met',
    word: 'Met',
    meaning: 'The run tested the requirement, and nothing contradicts it.',
  },
  {
    key: 'observed',
    word: 'Left open',
    meaning:
      'The interface does not say what the service must do here (level `open`), so whatever it does conforms.',
  },
  {
    key: 'observation',
    word: 'Observed',
    meaning:
      'What the service did where the interface leaves it open. petspec records it and never judges it.',
  },
  {
    key: 'narrowed',
    word: 'Narrowed',
    meaning:
      'Options such as `--only` or `--read-only` left requirements out. The verdict covers the rest, and says how many were judged.',
  },
  {
    key: 'incomplete',
    word: 'Incomplete',
    meaning:
      'The run found no violation, but does not show that the service conforms: a requirement of level `must` could not be tested, or none was judged.',
  },
] as const satisfies readonly GlossaryEntry[];

export type GlossaryKey = (typeof GLOSSARY)[number]['key'];
