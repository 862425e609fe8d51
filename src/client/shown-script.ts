/** A word as a shell reads it: pieces in quotes, escaped characters, names in braces, and others up to a space or an operator. */
const WORD = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|\{\w+\}|[^\s'"\\;|&()<>{}])+/gs;

/** A piece of a word in quotes, or an escaped character. */
const QUOTED = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs;

/**
 * Shows a script for a shell word by word. What is shown as it is stays to the letter; other words keep their first quotes.
 * @param show how a word without its quotes is shown, after the word before it
 */
export function inScript(script: string, show: (word: string, before: string) => string): string {
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
