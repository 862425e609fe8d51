import { describe, valueRequirement } from '../../contract/requirements.ts';
import type { Header, Operation } from '../../model/contract.ts';
import { type HeaderLine, headerValues, listMembers } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import { schemaErrors } from './schema-validator.ts';

/** The headers that a response with this status should have; for an undocumented status, those that all have. */
export function headersFor(operation: Operation, status: string | undefined): readonly Header[] {
  const own = operation.responses.find((each) => each.status === status);
  if (own) return own.headers;
  const [first, ...others] = operation.responses;
  return (first?.headers ?? []).filter(({ name }) =>
    others.every((each) => each.headers.some((header) => header.name === name)),
  );
}

export interface JudgedHeaders {
  met: string[];
  deviations: Deviation[];
  hidden: Deviation[];
}

/**
 * Judges the headers of a response. If all required headers are absent, that is one deviation, which hides the others: the
 * response bypassed whatever adds them.
 */
export function judgeHeaders(headers: readonly Header[], lines: readonly HeaderLine[]): JudgedHeaders {
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
}

/** Judges one header of a response: its presence, then its value. */
function judgeHeader(header: Header, lines: readonly HeaderLine[]): { met: string[]; deviation?: Deviation } {
  const values = headerValues(lines, header.name);
  const expected = `${header.name}: ${describe(header.schema)}`;
  if (values.length === 0) {
    if (!header.required) return { met: [] };
    const reason = `${header.name} is absent`;
    return {
      met: [],
      deviation: {
        headers: [header.name],
        requirement: header.name,
        kind: 'header',
        reason,
        expected,
        received: `no ${header.name} header`,
      },
    };
  }
  const distinct = [...new Set(values.flatMap(listMembers))];
  const wrong =
    distinct.length > 1
      ? 'has different values'
      : isValid(header, distinct[0] ?? '')
        ? undefined
        : `is not ${describe(header.schema)}`;
  const requirement = valueRequirement(header);
  if (wrong === undefined) return { met: [header.name, requirement] };
  return {
    met: [header.name],
    deviation: {
      headers: [header.name],
      requirement,
      kind: 'header',
      reason: `${header.name} ${wrong}`,
      expected,
      received: values.map((value) => `${header.name}: ${value}`).join(', '),
    },
  };
}

function isValid({ schema }: Header, value: string): boolean {
  const readings = /^-?\d+$/.test(value) ? [Number(value), value] : [value];
  return readings.some((reading) => schemaErrors(schema, reading).length === 0);
}
