import { endOfString } from './marked-numbers.ts';

/** How many values a JSON text has, rather too many than too few. What is in a string does not count. */
export function countValues(text: string): number {
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === ',' || character === '[' || character === '{') values += 1;
  }
  return values;
}
