import { endOfString } from '../model/json/marked-numbers.ts';

/**
 * A key that occurs twice in an object of a JSON text, because parsers disagree about which one counts.
 * @param json well-formed JSON in UTF-8
 */
export function repeatedName(json: Uint8Array): string | undefined {
  const text = Buffer.from(json).toString();
  const objects: Set<string>[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '{') objects.push(new Set());
    else if (character === '}') objects.pop();
    else if (character === '"') {
      const end = endOfString(text, index);
      const names = objects.at(-1);
      if (names && isBeforeColon(text, end + 1)) {
        const name: string = JSON.parse(text.slice(index, end + 1));
        if (names.has(name)) return name;
        names.add(name);
      }
      index = end;
    }
  }
  return undefined;
}

function isBeforeColon(text: string, from: number): boolean {
  let index = from;
  while (/[ \t\r\n]/.test(text[index] ?? '')) index += 1;
  return text[index] === ':';
}
