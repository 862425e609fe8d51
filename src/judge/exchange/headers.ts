import { describe, valueRequirement } from '../../contract/requirements.ts';
import type { Header, Operation } from '../../model/contract.ts';
import { type HeaderLine, headerValues, listMembers } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import { rememberingLast } from '../../model/remembering.ts';
import type { JudgedPart } from '../judged.ts';
import { schemaErrors } from './schema-validator.ts';

/** The headers that a response with this status should have; for an undocumented status, those that all have. */
export function headersFor(operation: Operation, status: string | undefined): readonly Header[] {
  const own = operation.responses.find((each) => each.status === status);
  if (own) return own.headers;
  // Whoever refuses what the document does not list, such as a framework or a gateway, may not know its headers.
  if (operation.mayRefuse) return [];
  const [first, ...others] = operation.responses;
  return (first?.headers ?? []).filter(({ name }) =>
    others.every((each) => each.headers.some((header) => header.name === name)),
  );
}

/**
 * Judges the headers of a response. If all required headers are absent, that is one deviation, which hides the others: the
 * response bypassed whatever adds them.
 */
export function judgeHeaders(headers: readonly Header[], lines: readonly HeaderLine[]): JudgedPart {
  return linesJudged(lines, headers);
}

/** A run judges a response when it arrives and at its end. */
const linesJudged = rememberingLast(
  (lines: readonly HeaderLine[], headers: readonly Header[]): JudgedPart => {
    const results = headers.map((header) => judgeHeader(header, lines));
    const met = results.flatMap((each) => each.met);
    const deviations = results.flatMap(({ deviation }) => deviation ?? []);
    const required = headers.filter((header) => header.required).map(({ name }) => name);
    const [first, ...others] = deviations;
    const areAllAbsent =
      required.length > 1 && required.every((name) => headerValues(lines, name).length === 0);
    if (!areAllAbsent || !first) return { met, deviations, hidden: [] };
    const names = required.join(', ');
    return {
      met,
      deviations: [
        {
          ...first,
          headers: required,
          reason: `${names} are absent`,
          expected: names,
          received: 'none of these headers',
        },
      ],
      hidden: others,
    };
  },
);

/** Judges one header of a response: its presence, then its value. */
function judgeHeader(header: Header, lines: readonly HeaderLine[]): { met: string[]; deviation?: Deviation } {
  const { name, required, schema } = header;
  const values = headerValues(lines, name);
  const wrong = (requirement: string, what: string, received: string): Deviation => ({
    requirement,
    kind: 'header',
    headers: [name],
    reason: `${name} ${what}`,
    expected: `${name}: ${describe(schema)}`,
    received,
  });
  if (values.length === 0)
    return required ? { met: [], deviation: wrong(name, 'is absent', `no ${name} header`) } : { met: [] };
  const [value = '', ...others] = new Set(values.flatMap(listMembers));
  const requirement = valueRequirement(header);
  const received = values.map((each) => `${name}: ${each}`).join(', ');
  if (others.length > 0)
    return { met: [name], deviation: wrong(requirement, 'has different values', received) };
  if (isValid(header, value)) return { met: [name, requirement] };
  return { met: [name], deviation: wrong(requirement, `is not ${describe(schema)}`, received) };
}

/** Most responses have the same Limit and Reset. */
const isValid = rememberingLast(matches);

/** Whether the value of a header has its schema. */
function matches({ schema }: Header, value: string): boolean {
  const readings = /^-?\d+$/.test(value) ? [Number(value), value] : [value];
  return readings.some((reading) => schemaErrors(schema, reading).length === 0);
}
