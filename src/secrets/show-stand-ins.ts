import type { Exchange } from '../model/exchange.ts';
import { PLACEHOLDER } from './placeholder.ts';

/** Shorter ones may be parts of words. */
const MIN_LENGTH = 5;

/**
 * A copy of plain data with the placeholders of the exchanges in place of what was judged instead. Exchanges in it stay as they are.
 * @param exchanges hidden
 */
export function shownStandIns<T extends { exchanges: readonly Exchange[] }>(
  data: T,
  exchanges: readonly Exchange[],
): T {
  const standIns = standInsOf(exchanges);
  if (standIns.length === 0) return data;
  const shown = (text: string) =>
    standIns.reduce(
      (result, each) => (result.includes(each) ? result.replaceAll(each, PLACEHOLDER) : result),
      text,
    );
  const show = (value: unknown): unknown => {
    if (typeof value === 'string') return shown(value);
    if (value === data.exchanges) return value;
    if (Array.isArray(value)) return value.map(show);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, show(each)]));
  };
  return show(data) as T;
}

/** The stand-ins in each form in which a finding may quote them, the longest first. */
function standInsOf(exchanges: readonly Exchange[]): string[] {
  const standIns = new Set(exchanges.flatMap(({ hidden = [] }) => hidden.map((part) => part.as)));
  const forms = [...standIns].flatMap((each) => [each, unescaped(each)]);
  // What a violation is recognized by has no numbers.
  const all = forms.flatMap((each) => [each, each.replace(/\d+/g, '#')]);
  return [...new Set(all)]
    .filter(({ length }) => length >= MIN_LENGTH)
    .sort((left, right) => right.length - left.length);
}

/** What a text says inside JSON. */
function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
