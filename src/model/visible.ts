/**
 * Controls, format characters (among them those that turn the direction), line separators, halves of characters, and
 * code points that are no characters (XML allows none of the controls, and not U+FFFE and U+FFFF).
 */
export const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** Characters of one text that is shown, and of a command, which is worth nothing once it is cut. */
const MAX_TEXT = 4_000;
const MAX_COMMAND = 20_000;

/**
 * Text of a target as one line that is safe on a terminal and in the log of a CI service: no escape sequence, no line
 * break, nothing that a runner takes for a command of its own. Inside a JSON string what was replaced still means the
 * same.
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
 * A line that the runner of GitHub Actions takes for no command: those begin a line with `::`, after blanks, or have
 * `##[` anywhere in it (actions/runner, ActionCommand.cs).
 */
export function notACommand(line: string): string {
  return line.replaceAll('##[', '# #[').replace(COMMAND, '$1: ');
}

/** Behind blanks, and the colours of a line that may be taken out of it later. */
const COMMAND = new RegExp(`^((?:\\s|${String.fromCharCode(27)}\\[\\d+m)*):(?=:)`);

/** At most so many characters, with a mark where some are left out; no character is cut in halves. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${cutAt(text, max)}… (${text.length} characters)`;
}

/** The first characters of a text, at most so many UTF-16 units; no character is cut in halves. */
export function cutAt(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  const isHalf = text.length > max && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? max - 1 : max);
}

/** A copy of plain data in which every text, be it a value or a name, is visible and bounded. */
export function shown<T>(value: T): T {
  return show(value, MAX_TEXT) as T;
}

/** A script keeps its lines: each is shown as a text is. */
function shownScript(script: string): string {
  return clip(script, MAX_COMMAND).split('\n').map(visible).join('\n');
}

function show(value: unknown, max: number): unknown {
  if (typeof value === 'string') return visible(clip(value, max));
  if (Array.isArray(value)) return value.map((each) => show(each, max));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      visible(clip(name, MAX_TEXT)),
      name === 'script' && typeof each === 'string'
        ? shownScript(each)
        : show(each, name === 'curl' ? MAX_COMMAND : MAX_TEXT),
    ]),
  );
}
