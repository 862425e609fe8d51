const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = MONTHS.join('|');
const FORMS: readonly { name: HttpDateForm; pattern: RegExp }[] = [
  {
    name: 'imf-fixdate',
    pattern: new RegExp(
      `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d{2}) (${MONTH}) (\\d{4}) (\\d{2}):(\\d{2}):(\\d{2}) GMT$`,
    ),
  },
  {
    name: 'rfc850',
    pattern: new RegExp(
      `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d{2})-(${MONTH})-(\\d{2}) (\\d{2}):(\\d{2}):(\\d{2}) GMT$`,
    ),
  },
  {
    name: 'asctime',
    pattern: new RegExp(
      `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (${MONTH}) ([ \\d]\\d) (\\d{2}):(\\d{2}):(\\d{2}) (\\d{4})$`,
    ),
  },
];

export type HttpDateForm = 'imf-fixdate' | 'rfc850' | 'asctime';

/**
 * An HTTP-date in one of its three forms (RFC 9110 section 5.6.7), as ms since the epoch; undefined if it is not one.
 * @param now ms since the epoch: a year of two digits is never more than 50 years later
 */
export function parseHttpDate(text: string, now: number): { ms: number; form: HttpDateForm } | undefined {
  for (const { name, pattern } of FORMS) {
    const match = pattern.exec(text);
    if (!match) continue;
    const parts = match.slice(1);
    const [day, month, year, ...time] =
      name === 'asctime' ? [parts[1], parts[0], parts[5], ...parts.slice(2, 5)] : parts;
    const [hour = 0, minute = 0, second = 0] = time.map(Number);
    const monthIndex = MONTHS.indexOf(month ?? '');
    const msOf = (fullYear: number) => timeOf(fullYear, monthIndex, Number(day), hour, minute, second);
    const ms = name === 'rfc850' ? inPast(msOf, Number(year), now) : msOf(Number(year));
    return ms === undefined ? undefined : { ms, form: name };
  }
  return undefined;
}

/** The latest year with these two digits that is at most 50 years in the future (RFC 9110 section 5.6.7). */
function inPast(msOf: (year: number) => number | undefined, digits: number, now: number): number | undefined {
  const thisYear = new Date(now).getUTCFullYear();
  const fiftyYearsOn = new Date(now).setUTCFullYear(thisYear + 50);
  const century = Math.floor(thisYear / 100) * 100;
  const years = [century + 100, century, century - 100].map((start) => start + digits);
  return years.map(msOf).find((ms) => ms !== undefined && ms <= fiftyYearsOn);
}

/** ms since the epoch; undefined for a date that does not exist. A leap second is 60. */
function timeOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999. 31 February becomes a day of March.
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  if (date.getUTCDate() !== day || hour >= 24 || minute >= 60 || second > 60) return undefined;
  return date.setUTCHours(hour, minute, second);
}
