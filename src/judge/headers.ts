import { describe } from '../contract/requirements.ts';
import type { Header, Operation } from '../contract/types.ts';
import { type HeaderLine, headerValues } from '../session/exchange.ts';
import type { Deviation } from './finding.ts';
import { schemaErrors } from './schema-validator.ts';

/** The headers that a response of this status is to carry; of an undocumented status, those that all carry. */
export function headersFor(operation: Operation, status: string | undefined): readonly Header[] {
  const own = operation.responses.find((each) => each.status === status);
  if (own) return own.headers;
  const [first, ...others] = operation.responses;
  return (first?.headers ?? []).filter(({ name }) =>
    others.every((each) => each.headers.some((header) => header.name === name)),
  );
}

/** Judges one header of a response: its presence, then what it holds. */
export function judgeHeader(
  header: Header,
  lines: readonly HeaderLine[],
): { met: string[]; deviation?: Deviation } {
  const values = headerValues(lines, header.name);
  const expected = `${header.name}: ${describe(header.schema)}`;
  if (values.length === 0) {
    if (!header.required) return { met: [] };
    const reason = `${header.name} is absent`;
    return {
      met: [],
      deviation: { requirement: header.name, reason, expected, received: `no ${header.name} header` },
    };
  }
  const distinct = [...new Set(values.flatMap(members))];
  const wrong =
    distinct.length > 1
      ? 'has different values'
      : isValid(header, distinct[0] ?? '')
        ? undefined
        : `is not ${describe(header.schema)}`;
  if (wrong === undefined) return { met: [header.name, `${header.name}.schema`] };
  return {
    met: [header.name],
    deviation: {
      requirement: `${header.name}.schema`,
      reason: `${header.name} ${wrong}`,
      expected,
      received: values.map((value) => `${header.name}: ${value}`).join(', '),
    },
  };
}

/** A proxy may join repeated lines with commas (RFC 9110 section 5.2); a date has a comma of its own. */
function members(value: string): string[] {
  return /^[\d\s,]+$/.test(value) ? value.split(',').map((each) => each.trim()) : [value];
}

function isValid({ schema }: Header, value: string): boolean {
  const readings = /^-?\d+$/.test(value) ? [Number(value), value] : [value];
  return readings.some((reading) => schemaErrors(schema, reading).length === 0);
}
