import { literal } from '../secrets/decode.ts';
import { isSecretName } from '../secrets/secret-name.ts';

/** What replaces a secret. */
const HIDDEN = '[hidden]';

/** Placeholders that petspec replaces are not secrets. */
const PLACEHOLDER = /\{(?:apiKey|baseUrl|apiUrl)\}/;

/** A variable that a script reads, with a scheme before it or alone. */
const VARIABLE = /^(?:[a-z]+\s+)?\$(?:[A-Z][A-Z\d_]*|\{[A-Z][A-Z\d_]*\})$/i;

/** `--name=value`, `name: value`, `NAME=value`. */
const NAMED = /^(-{0,2}[A-Za-z][\w.-]*)(\s*[:=]\s*)(.+)$/s;

/** A word before a secret: an option or, in a script, the name of a header or a member. */
const OPTION = /^--?([A-Za-z][\w-]*)$/;
const MEMBER = /^([A-Za-z][\w-]*)\s*:$/;

/** An option whose value is a user with a password: `-u`, `-su`, `--proxy-user`. */
const LOGIN = /^(?:-[A-Za-z]{0,4}[uU]|--(?:proxy-)?user)$/;

/** A user with a password in one word with its option: `-uadmin:password`. */
const JOINED_LOGIN = /^(-[uU]|--(?:proxy-)?user=)(?=[^\s:]*:)/;

/** A known secret of at least so many characters is also found inside a word. */
const LONG = 8;

/**
 * A command as reports show it: names stay, secrets do not. Secrets are the value of an option, a header or a variable with a
 * secret name, the credentials after a scheme, the password of a user or a URL, and the given ones. A word with spaces is read
 * as a script, whose words may have all of these.
 * @param secrets those in the environment, and those that the client sent
 */
export function shownCommand(words: readonly string[], secrets: readonly string[]): string[] {
  const hide = hidingOf(secrets);
  return words.map((word, index) => hide(shownWord(word, words[index - 1] ?? '', false)));
}

/** Replaces known secrets in a text. */
export function hidingOf(secrets: readonly string[]): (text: string) => string {
  const patterns = secrets
    .filter((secret) => secret !== '')
    .toSorted((left, right) => right.length - left.length)
    .map(patternOf);
  return (text) => patterns.reduce((shown, pattern) => shown.replace(pattern, HIDDEN), text);
}

/** A short secret is only found as a whole word: it may be part of another word by chance. */
function patternOf(secret: string): RegExp {
  const pattern = literal(secret);
  return new RegExp(secret.length < LONG ? `(?<!\\w)${pattern}(?!\\w)` : pattern, 'g');
}

/** @param before the preceding word */
function shownWord(word: string, before: string, isInScript: boolean): string {
  const named = OPTION.exec(before)?.[1] ?? (isInScript ? MEMBER.exec(before)?.[1] : undefined);
  if (named !== undefined && isSecretName(named) && !word.startsWith('-') && !isPublic(word, isInScript))
    return schemeOf(word) + HIDDEN;
  if (LOGIN.test(before)) return withoutPassword(word);
  const [login] = JOINED_LOGIN.exec(word) ?? [];
  if (login !== undefined) return login + withoutPassword(word.slice(login.length));
  const [, name = '', separator = '', value = ''] = NAMED.exec(word) ?? [];
  if (isSecretName(name.replace(/^-+/, '')))
    return isPublic(value, isInScript)
      ? withoutCredentials(word)
      : name + separator + schemeOf(value) + HIDDEN;
  return withoutCredentials(
    /\s/.test(word) ? inScript(word, (inner, preceding) => shownWord(inner, preceding, true)) : word,
  );
}

/** The password of a user, unless the word is an address. */
function withoutPassword(word: string): string {
  return word.includes('://') ? withoutCredentials(word) : word.replace(/:.+/s, `:${HIDDEN}`);
}

/** The scheme before credentials, with the space after it. */
function schemeOf(value: string): string {
  return /^((?:Basic|Bearer|Token|ApiKey)\s+)\S/i.exec(value)?.[1] ?? '';
}

function withoutCredentials(text: string): string {
  return text
    .replace(/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, `$1${HIDDEN}@`)
    .replace(/\b((?:Basic|Bearer)\s+)(?!\{)[\w.~+/=-]{4,}/gi, `$1${HIDDEN}`);
}

/** Whether a value is not a secret, although its name is that of a secret. */
function isPublic(value: string, isInScript: boolean): boolean {
  return PLACEHOLDER.test(value) || (isInScript && VARIABLE.test(value));
}

/** A word as a shell reads it: pieces in quotes, escaped characters, names in braces, and others up to a space or an operator. */
const WORD = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|\{\w+\}|[^\s'"\\;|&()<>{}])+/gs;

/** A piece of a word in quotes, or an escaped character. */
const QUOTED = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs;

/**
 * Shows a shell script word by word. A word without a secret stays to the letter; the others keep their first quotes.
 * @param show how a word without its quotes is shown, after the word before it
 */
function inScript(script: string, show: (word: string, before: string) => string): string {
  let before = '';
  return script.replace(WORD, (written) => {
    const word = unquoted(written);
    const shown = show(word, before);
    before = word;
    return shown === word ? written : quotedLike(written, shown);
  });
}

function unquoted(written: string): string {
  return written.replace(QUOTED, (_all, single?: string, double?: string, escaped?: string) =>
    double === undefined ? (single ?? escaped ?? '') : double.replace(/\\([\\"$`])/g, '$1'),
  );
}

function quotedLike(written: string, shown: string): string {
  const [quote = ''] = /['"]/.exec(written) ?? [];
  return quote + shown + quote;
}
