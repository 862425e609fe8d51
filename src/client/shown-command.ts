import { isSecretName } from '../session/secrets/secret-name.ts';

/** What replaces a secret. */
const HIDDEN = '[hidden]';

/** Placeholders that petspec replaces are not secrets. */
const PLACEHOLDER = /\{(?:apiKey|baseUrl|apiUrl)\}/;

/** `--name=value`, `name: value`, `NAME=value`. */
const NAMED = /^(-{0,2}[A-Za-z][\w.-]*)(\s*[:=]\s*)(.+)$/s;

/**
 * A command as reports show it: names stay, secrets do not. A secret is the value of an option, a header or a variable whose
 * name tells, the credentials after a scheme, the password of a URL, and what the environment holds.
 * @param secrets the secrets in the environment
 */
export function shownCommand(words: readonly string[], secrets: readonly string[]): string[] {
  const known = secrets.filter((each) => each !== '');
  return words.map((word, index) => {
    const option = /^--?([A-Za-z][\w-]*)$/.exec(words[index - 1] ?? '')?.[1];
    const isValue = option !== undefined && !word.startsWith('-') && isSecret(option, word);
    if (isValue) return HIDDEN;
    const isLogin = words[index - 1] === '-u' || words[index - 1] === '--user';
    const plain = isLogin ? word.replace(/:.*/s, `:${HIDDEN}`) : word;
    return known.reduce((shown, key) => shown.replaceAll(key, HIDDEN), withoutNamed(plain));
  });
}

function withoutNamed(word: string): string {
  const [, name = '', separator = '', value = ''] = NAMED.exec(word) ?? [];
  const [, scheme = ''] = /^((?:Basic|Bearer|Token|ApiKey)\s+)\S/i.exec(value) ?? [];
  if (name !== '' && isSecret(name.replace(/^-+/, ''), value)) return `${name}${separator}${scheme}${HIDDEN}`;
  return word
    .replace(/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, `$1${HIDDEN}@`)
    .replace(/\b((?:Basic|Bearer)\s+)(?!\{)[\w.~+/=-]{4,}/gi, `$1${HIDDEN}`);
}

function isSecret(name: string, value: string): boolean {
  return isSecretName(name) && !PLACEHOLDER.test(value);
}
