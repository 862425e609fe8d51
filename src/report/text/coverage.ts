import { group } from 'd3-array';
import type { Sensitivity } from '../../model/report/coverage.ts';
import {
  type Coverage,
  isCovered,
  type KeywordCoverage,
  type OperationCoverage,
  type ParameterCoverage,
  type Undocumented,
} from '../../model/report/coverage.ts';
import { counted, type Report } from '../../model/report/report.ts';
import { paragraph, type TextLayout } from './style.ts';

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
  const received = responses
    .filter(({ exchanges }) => exchanges > 0)
    .map(
      ({ status, exchanges, documented }) =>
        `${statusName(status)} (${exchanges}${documented ? '' : ', not documented'})`,
    );
  const missing = responses
    .filter(({ exchanges }) => exchanges === 0)
    .map(({ status }) => statusName(status));
  return [...listed('responses', received), ...listed('not received', missing)];
}

/** `sent: limit (5 valid, 1 invalid); not sent: status`. */
export function parameterWords({ parameters }: OperationCoverage): string[] {
  const isSent = ({ valid, invalid }: ParameterCoverage) => valid + invalid > 0;
  const sent = parameters.filter(isSent).map((parameter) => `${parameter.name} (${sentWords(parameter)})`);
  const missing = parameters.filter((parameter) => !isSent(parameter)).map(({ name }) => name);
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

/** Traffic that the document does not describe, most frequent first: `parameters: listPets.sort (3, GET /pets?sort=name -> 200)`. */
export function undocumentedWords({ undocumented = [] }: Coverage, most: number): string[] {
  return Object.entries(UNDOCUMENTED_WORDS).flatMap(([kind, words]) => {
    const entries = undocumented
      .filter((entry) => entry.kind === kind)
      .sort((left, right) => right.count - left.count);
    const names = entries.slice(0, most).map(undocumentedName);
    const more = entries.length > most ? [`${entries.length - most} more in report.json`] : [];
    return listed(words, [...names, ...more]);
  });
}

function undocumentedName({ name, count, example }: Undocumented): string {
  return `${name} (${count}${example === name ? '' : `, ${example}`})`;
}

/** Why a keyword was not tested: `no invalid value sent`; undefined if it was tested. */
export function missingWords(keyword: KeywordCoverage): string | undefined {
  if (isCovered(keyword)) return undefined;
  if (keyword.in === 'response') return 'not received';
  if (!keyword.applied && !keyword.violated) return 'not sent';
  return keyword.applied ? 'no invalid value sent' : 'no valid value sent';
}

/** How many faults of the catalogue the exchanges would have shown. */
export function sensitivityWords({ shown, faults, onlyInRuns = 0 }: Sensitivity): string {
  const more = onlyInRuns > 0 ? ` (${onlyInRuns} of them show only in a run)` : '';
  return `would have noticed: ${shown} of ${counted(faults, 'known fault')} of an animal store service${more}`;
}

/** Operations, names and places of schemas in the text; report.json has more. */
const MAX_OPERATIONS = 20;
const MAX_NAMES = 40;
const MAX_PLACES = 20;

/** Undocumented names of each kind. */
const MAX_UNDOCUMENTED = 5;

export function undocumentedText(
  { coverage }: Pick<Report, 'coverage'>,
  { width }: Pick<TextLayout, 'width'>,
): string {
  const lines = coverage ? undocumentedWords(coverage, MAX_UNDOCUMENTED) : [];
  if (lines.length === 0) return '';
  return `Not documented\n${lines.map((line) => `${paragraph('  ', line, 6, width)}\n`).join('')}`;
}

/** How much of the interface was covered, in one line. */
export function coveredLine(
  { coverage }: Pick<Report, 'coverage'>,
  { width }: Pick<TextLayout, 'width'>,
): string {
  return coverage ? `${paragraph('', `covered: ${coverageWords(coverage)}`, 2, width)}\n` : '';
}

/** How many faults of the catalogue the exchanges would have shown, in one line. */
export function sensitivityLine(
  { sensitivity }: Pick<Report, 'sensitivity'>,
  { width }: Pick<TextLayout, 'width'>,
): string {
  return sensitivity ? `${paragraph('', sensitivityWords(sensitivity), 2, width)}\n` : '';
}

/** The line of {@link sensitivityLine}, the sections in which faults would have gone unnoticed, and the missing probes. */
export function sensitivityText(
  report: Pick<Report, 'sensitivity'>,
  page: Pick<TextLayout, 'width'>,
): string {
  const { sections = [], missing = [] } = report.sensitivity ?? {};
  const lines = [
    ...sections
      .filter(({ shown, faults }) => shown < faults)
      .map(({ section, shown, faults }) => `${section}: ${shown} of ${faults}`),
    ...missing.map(({ probe, faults }) => `missing: ${probe} (${counted(faults, 'fault')})`),
  ];
  return (
    sensitivityLine(report, page) + lines.map((line) => `${paragraph('  ', line, 6, page.width)}\n`).join('')
  );
}

export function coverageText(
  { coverage }: Pick<Report, 'coverage'>,
  page: Pick<TextLayout, 'width'>,
): string {
  if (!coverage) return '';
  const { covered, of } = coverage.operations;
  return `Coverage (${covered} of ${counted(of, 'operation')})\n${coverageLines(coverage, page).join('\n')}\n`;
}

/**
 * The coverage of each requested operation, the names of the operations that were not requested, and the schema keywords
 * that were not tested.
 */
function coverageLines(coverage: Coverage, { width }: Pick<TextLayout, 'width'>): string[] {
  const { byOperation, operations } = coverage;
  const requested = byOperation.filter(({ requests }) => requests > 0);
  const shownOperations = requested.slice(0, MAX_OPERATIONS);
  const nameWidth = Math.max(0, ...shownOperations.map(({ operation }) => operation.length));
  const more = operations.covered - shownOperations.length;
  const unrequested = byOperation.filter(({ requests }) => requests === 0).map(({ operation }) => operation);
  const unnamed = operations.of - operations.covered - Math.min(unrequested.length, MAX_NAMES);
  const names = [...unrequested.slice(0, MAX_NAMES), ...(unnamed > 0 ? [`${unnamed} more`] : [])];
  return [
    ...shownOperations.map((operation) => paragraph('  ', operationLine(operation, nameWidth), 6, width)),
    ...(more > 0 ? [`  ${counted(more, 'more operation')}; report.json lists them`] : []),
    ...(names.length > 0 ? [paragraph('  ', `not requested: ${names.join(', ')}`, 6, width)] : []),
    ...keywordLines(coverage, width),
  ];
}

function operationLine(operation: OperationCoverage, nameWidth: number): string {
  return [
    `${operation.operation.padEnd(nameWidth)}  ${counted(operation.requests, 'request')}`,
    ...responseWords(operation),
    ...parameterWords(operation),
  ].join('; ');
}

/** The keywords that were not tested, by schema and reason. */
function keywordLines({ byKeyword, keywords }: Coverage, width: number): string[] {
  const missing = byKeyword.flatMap((keyword) => {
    const words = missingWords(keyword);
    return words === undefined ? [] : [{ ...keyword, words }];
  });
  const places = [...group(missing, (keyword) => `${keyword.place}, ${keyword.in}: ${keyword.words}`)];
  const lines = places
    .slice(0, MAX_PLACES)
    .map(([head, placeKeywords]) =>
      paragraph('    ', `${head}: ${placeKeywords.map(({ keyword }) => keyword).join(', ')}`, 6, width),
    );
  const named = places.slice(0, MAX_PLACES).reduce((sum, [, placeKeywords]) => sum + placeKeywords.length, 0);
  const more = keywords.of - keywords.covered - named;
  if (lines.length === 0) return [];
  const rest = more > 0 ? [`    ${counted(more, 'more keyword')}; report.json lists them`] : [];
  return ['  schema keywords not put to the test:', ...lines, ...rest];
}
