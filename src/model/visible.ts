/**
 * Control and format characters (some change the text direction), line separators, unpaired surrogates, and
 * noncharacters. XML does not allow control characters, U+FFFE or U+FFFF.
 */
export const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** The longest text and the longest command that are shown, in characters. A command that is cut off is useless. */
const MAX_TEXT = 4_000;
const MAX_COMMAND = 20_000;

/**
 * Text of a target as one line that is safe on a terminal and in the log of a CI service: without escape sequences, line
 * breaks, or commands for the CI runner. The escapes keep their meaning inside a JSON string.
 */
export function visible(text: string): string {
  return notACommand(
    text.replace(HIDDEN, (character) => {
      if (character === '\n') return '\\n';
      if (character === '\r') return '\\r';
      if (character === '\t') return '\\t';
      return character
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('');
    }),
  );
}

/**
 * Changes a line so that no CI runner takes it for a command. Commands of GitHub Actions begin with `::` after optional blanks, or
 * contain `##[` (actions/runner, ActionCommand.cs); those of Azure Pipelines contain `##vso[`, those of TeamCity `##teamcity[`.
 */
export function notACommand(line: string): string {
  return line.replaceAll(/##(?=\w*\[)/g, '# #').replace(COMMAND, '$1: ');
}

/** `::` at the start of a line, after blanks and color codes, as a log may remove those. */
const COMMAND = new RegExp(`^((?:\\s|${String.fromCharCode(27)}\\[\\d+m)*):(?=:)`);

/** At most `max` characters, and the length of the text if it is longer. Never splits a pair of surrogates. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${cutAt(text, max)}… (${text.length} characters)`;
}

/** At most the first `max` UTF-16 units of a text. Never splits a pair of surrogates. */
export function cutAt(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  const isHalf = text.length > max && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? max - 1 : max);
}

/**
 * A copy of plain data with every text and every name visible and bounded. An object that occurs several times is copied once: a
 * comparison of a thousand runs has the same results a thousand times.
 */
export function shown<T>(value: T): T {
  return show(value, MAX_TEXT, new Map()) as T;
}

function shownScript(script: string): string {
  return clip(script, MAX_COMMAND).split('\n').map(visible).join('\n');
}

/** @param copies by the original object */
function show(value: unknown, max: number, copies: Map<object, unknown>): unknown {
  if (typeof value === 'string') return visible(clip(value, max));
  if (Array.isArray(value)) return value.map((item) => show(item, max, copies));
  if (typeof value !== 'object' || value === null) return value;
  const earlier = copies.get(value);
  if (earlier !== undefined) return earlier;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      visible(clip(name, MAX_TEXT)),
      name === 'script' && typeof member === 'string'
        ? shownScript(member)
        : show(member, name === 'curl' ? MAX_COMMAND : MAX_TEXT, copies),
    ]),
  );
  copies.set(value, copy);
  return copy;
}

/** Findings quote at most this many characters. */
const MAX_QUOTE = 200;

/** A bounded quotation of text from a target. */
export function quote(text: string): string {
  const characters = [...text.slice(0, MAX_QUOTE * 2)];
  return characters.length <= MAX_QUOTE && text.length <= MAX_QUOTE * 2
    ? text
    : `${characters.slice(0, MAX_QUOTE).join('')}…`;
}
