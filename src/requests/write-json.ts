import { stringifyJson } from '../model/json.ts';
import { OWN_LENGTH, type RequestVariation } from '../model/probe.ts';

/** White space around the tokens of JSON (RFC 8259 section 2). */
interface Space {
  around: readonly [before: string, after: string];
  opening: string;
  colon: string;
  comma: string;
  closing: string;
}

const COMPACT: Space = { around: ['', ''], opening: '', colon: ':', comma: ',', closing: '' };
const SPACES: Readonly<Record<'spaces' | 'lines', Space>> = {
  spaces: { around: [' ', ' '], opening: ' ', colon: ' : ', comma: ' , ', closing: ' ' },
  lines: { around: ['\n', '\r\n'], opening: '\r\n\t', colon: '\t:\n', comma: '\r\n\t,', closing: '\n' },
};

type Escapes = Extract<RequestVariation, { kind: 'json-escapes' }>['style'] | undefined;

interface Manner {
  space: Space;
  escapes: Escapes;
  isReversed: boolean;
}

/** Writes JSON in another manner with the same meaning. */
export function writeJson(value: unknown, variations: readonly RequestVariation[]): string {
  const space = variations.find((each) => each.kind === 'json-space')?.style;
  const manner: Manner = {
    space: space === undefined ? COMPACT : SPACES[space],
    escapes: variations.find((each) => each.kind === 'json-escapes')?.style,
    isReversed: variations.some(({ kind }) => kind === 'field-order'),
  };
  const [before, after] = manner.space.around;
  return `${before}${written(value, manner)}${after}`;
}

function written(value: unknown, manner: Manner): string {
  const { space, escapes, isReversed } = manner;
  if (typeof value === 'string') return string(value, escapes === 'names' ? undefined : escapes);
  if (Array.isArray(value))
    return enclosed(
      '[',
      ']',
      value.map((each) => written(each, manner)),
      space,
    );
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return stringifyJson(value);
  const members = Object.entries(value).map(
    ([name, each]) =>
      `${string(name, escapes === 'names' ? 'unicode' : undefined)}${space.colon}${written(each, manner)}`,
  );
  return enclosed('{', '}', isReversed ? members.reverse() : members, space);
}

function enclosed(
  start: string,
  end: string,
  parts: readonly string[],
  { opening, comma, closing }: Space,
): string {
  return `${start}${opening}${parts.join(comma)}${closing}${end}`;
}

/** A string with needless escapes. Its last characters, which make a text unique, stay as they are. */
function string(text: string, escapes: Escapes): string {
  if (escapes === undefined) return JSON.stringify(text);
  if (escapes === 'solidus') return JSON.stringify(text).replaceAll('/', '\\/');
  const end = text.length > OWN_LENGTH ? OWN_LENGTH : 0;
  const start = text.slice(0, text.length - end);
  const escaped = [...start].map((character, index) =>
    index === 0 || /[^\0-\x7f]/.test(character) ? inUnits(character) : JSON.stringify(character).slice(1, -1),
  );
  return `"${escaped.join('')}${JSON.stringify(text.slice(text.length - end)).slice(1, -1)}"`;
}

/** Escapes a character by its UTF-16 code units: two if it is beyond the basic plane. */
function inUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const digits = character.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${index === 0 ? digits : digits.toUpperCase()}`;
  }).join('');
}
