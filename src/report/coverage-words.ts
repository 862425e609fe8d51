import {
  type Coverage,
  isCovered,
  type KeywordCoverage,
  type OperationCoverage,
  type ParameterCoverage,
  type Sensitivity,
  type Undocumented,
} from '../model/report/coverage.ts';
import { counted } from '../model/report/report.ts';

/** `3 of 5 operations, 4 of 21 documented responses, 2 of 7 parameters and bodies, 12 of 60 schema keywords`. */
export function coverageWords({ operations, responses, parameters, keywords }: Coverage): string {
  return [
    `${operations.covered} of ${counted(operations.of, 'operation')}`,
    `${responses.covered} of ${counted(responses.of, 'documented response')}`,
    ...(parameters.of === 0 ? [] : [`${parameters.covered} of ${parameters.of} parameters and bodies`]),
    ...(keywords.of === 0 ? [] : [`${keywords.covered} of ${counted(keywords.of, 'schema keyword')}`]),
  ].join(', ');
}

/** `responses: 200 (10), 401 (2), 500 (1, not documented); not received: 429`. */
export function responseWords({ responses }: OperationCoverage): string[] {
  const came = responses
    .filter(({ exchanges }) => exchanges > 0)
    .map(
      ({ status, exchanges, documented }) =>
        `${statusName(status)} (${exchanges}${documented ? '' : ', not documented'})`,
    );
  const missing = responses
    .filter(({ exchanges }) => exchanges === 0)
    .map(({ status }) => statusName(status));
  return [...listed('responses', came), ...listed('not received', missing)];
}

/** `sent: limit (5 valid, 1 invalid); not sent: status`. */
export function parameterWords({ parameters }: OperationCoverage): string[] {
  const isSent = ({ valid, invalid }: ParameterCoverage) => valid + invalid > 0;
  const sent = parameters.filter(isSent).map((each) => `${each.name} (${sentWords(each)})`);
  const missing = parameters.filter((each) => !isSent(each)).map(({ name }) => name);
  return [...listed('sent', sent), ...listed('not sent', missing)];
}

function listed(head: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${head}: ${names.join(', ')}`];
}

/** `5 valid, 1 invalid`. */
function sentWords({ valid, invalid }: ParameterCoverage): string {
  return [...(valid > 0 ? [`${valid} valid`] : []), ...(invalid > 0 ? [`${invalid} invalid`] : [])].join(
    ', ',
  );
}

/** The name of a documented response: `200`, `4XX`, `default`. */
export function statusName(status: string): string {
  return status === 'DEFAULT' ? 'default' : status;
}

const UNDOCUMENTED_WORDS: Readonly<Record<Undocumented['kind'], string>> = {
  operation: 'operations',
  parameter: 'parameters',
  field: 'fields',
  status: 'statuses',
};

/** What came and the document does not describe, the most frequent first: `parameters: listPets.sort (3, GET /pets?sort=name -> 200)`. */
export function undocumentedWords({ undocumented = [] }: Coverage, most: number): string[] {
  return Object.entries(UNDOCUMENTED_WORDS).flatMap(([kind, words]) => {
    const own = undocumented
      .filter((each) => each.kind === kind)
      .sort((one, other) => other.count - one.count);
    const shown = own.slice(0, most).map(undocumentedName);
    const more = own.length > most ? [`${own.length - most} more in report.json`] : [];
    return listed(words, [...shown, ...more]);
  });
}

function undocumentedName({ name, count, example }: Undocumented): string {
  return `${name} (${count}${example === name ? '' : `, ${example}`})`;
}

/** What is missing of a keyword: `no invalid value sent`; undefined if it was put to the test. */
export function missingWords(keyword: KeywordCoverage): string | undefined {
  if (isCovered(keyword)) return undefined;
  if (keyword.in === 'response') return 'not received';
  if (!keyword.applied && !keyword.violated) return 'not sent';
  return keyword.applied ? 'no invalid value sent' : 'no valid value sent';
}

/** Which faults of the catalogue the exchanges would have shown. */
export function sensitivityWords({ shown, faults, onlyInRuns = 0 }: Sensitivity): string {
  const more = onlyInRuns > 0 ? ` (${onlyInRuns} of them show only in a run)` : '';
  return `would have noticed: ${shown} of ${counted(faults, 'known fault')} of an animal store service${more}`;
}
