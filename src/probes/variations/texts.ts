import type { Schema } from '../../model/contract.ts';
import type { RequestVariation } from '../../model/probe.ts';
import { fitted, longText } from '../../requests/plain-values.ts';
import { AS_LONG } from '../../requests/varied-probe.ts';
import { type Draw, shuffled } from './random.ts';

type TextKind = readonly [name: string, text: string];

/** Kinds of characters in a text: scripts, normal forms, and characters that careless code interprets. */
const KINDS: readonly [TextKind, ...TextKind[]] = [
  ['latin', 'Zoë ’Łatka“ İıßﬁ'],
  ['decomposed', 'Amélie'.normalize('NFD')],
  ['cyrillic', 'Мурка'],
  ['greek', 'Γάτα'],
  ['han', '猫咪'],
  ['kana', 'ネコ'],
  ['hangul', '고양이'],
  ['indic', 'कुत्ता คน'],
  ['rare-scripts', 'Արամ ሉሲ'],
  ['right-to-left', 'قطة 12 "חתול\u200f"'],
  ['astral', '🐈🦊 𝒜'],
  ['joined', '👩‍🚀👍🏽❤️'],
  ['digits', '007 1e3'],
  ['quotes', '"Duke" O\'Neil'],
  ['markup', '<b id="x">Tom & J</b> &amp;&eacute;'],
  ['script', '<!-- x --><script>alert(1)</script>'],
  ['template', `{"x": 1} {{7*7}} \${HOME} #{1} $& ?`],
  ['percent', '=1+1 50% %41 %s'],
  ['backslash', 'C:\\new / \\u0041'],
  ['blanks', 'two  blanks, one%20escaped'],
  ['lower', 'de la x'],
];

/** Digits with leading zeros, which careless code takes for a number. It is the whole text of a request that may be refused. */
const NUMBER: TextKind = ['number', '00'];

/** Letters with accents and typographic signs, which careless code decodes wrongly. */
export const ACCENTED: RequestVariation = { id: 'text:latin', kind: 'text', text: KINDS[0][1] };

/** Kinds for the texts of a user's document, which every service that keeps texts as they are can show again. */
const SHOWN = ['han', 'joined', 'quotes', 'percent', 'decomposed', 'backslash', 'markup'];

/** Such a text begins with letters, so its place in a sorted list does not depend on how signs are sorted. */
const SHOWN_START = 'Ox';

/** Longer texts would test lengths, and shorter ones have no room for signs (characters). */
const LONGEST_SHOWN = 100;
const SHORTEST_SHOWN = 16;

/**
 * A text of several kinds of characters that fits the lengths of a schema, with room for a body's own characters; undefined if the
 * schema has no room for it.
 * @param turn another kind comes first, so that several short texts have all of them
 */
export function mixedText(schema: Schema, turn: number): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (maxLength < SHORTEST_SHOWN || minLength > LONGEST_SHOWN) return undefined;
  const first = turn % SHOWN.length;
  const names = [...SHOWN.slice(first), ...SHOWN.slice(0, first)];
  const texts = names.flatMap((name) => KINDS.find((kind) => kind[0] === name)?.[1] ?? []);
  return fitted([SHOWN_START, ...texts].join(' '), {
    minLength,
    maxLength: Math.min(maxLength, LONGEST_SHOWN),
  });
}

/** Plain letters with as many bytes as the texts of these variations, so at least as many characters; undefined without texts. */
export function plainText(variations: readonly RequestVariation[]): RequestVariation | undefined {
  const texts = variations.filter((variation) => variation.kind === 'text').map(({ text }) => text);
  if (texts.length === 0) return undefined;
  return { id: AS_LONG, kind: 'text', text: longText(Buffer.byteLength(texts.join(' '))) };
}

/** Kinds that matter only at the beginning of a text. */
const BEGINNING: readonly string[] = ['digits', 'quotes', 'lower', 'percent'];

/** A kind beyond ASCII, which begins a text that has to be accepted. */
const isFirst = ([name]: TextKind) => name === 'han';
const isBeginning = ([name]: TextKind) => BEGINNING.includes(name);

/** The most and the fewest kinds of characters in a text. */
const MOST = 7;
const LEAST = 3;

/** A text decodes the escape in the one only if it decodes as a whole, and the other has an escape that does not. */
const [ESCAPED, UNDECODABLE] = ['blanks', 'percent'];

/** Exchanges the kind with an escape for one of another request, where it is together with the one that does not decode. */
function keepApart(dealt: readonly TextKind[][]): void {
  const has = (kinds: readonly TextKind[], wanted: string | undefined) =>
    kinds.some(([name]) => name === wanted);
  for (const kinds of dealt) {
    const place = kinds.findIndex(([name]) => name === ESCAPED);
    if (place < 0 || !has(kinds, UNDECODABLE)) continue;
    const other = dealt.find((request) => !has(request, UNDECODABLE) && !has(request, ESCAPED));
    const given = other?.findIndex(([name], index) => index > 0 && !has(kinds, name)) ?? -1;
    const [escaped] = kinds.splice(place, 1);
    if (other && escaped && given > 0) kinds.push(...other.splice(given, 1, escaped));
  }
}

const asVariation = ([name, text]: TextKind): RequestVariation => ({
  id: `text:${name}`,
  kind: 'text',
  text,
});

/**
 * Deals kinds of characters to requests. Each kind goes to a request that has to be accepted, if there are enough of these,
 * because a failure is clearest there. A kind for beginnings that begins none of their texts is the whole text of a request that
 * may be refused.
 * @param due how many requests have to be accepted
 * @param others how many requests may be refused
 */
export function dealTexts(due: number, others: number, draw: Draw): RequestVariation[][] {
  const beginnings = [...KINDS.filter(isFirst), ...shuffled(KINDS.filter(isBeginning), draw)];
  const firstKinds = shuffled(beginnings.slice(0, due), draw);
  const rest = shuffled(
    KINDS.filter((kind) => !firstKinds.includes(kind)),
    draw,
  );
  const count = Math.min(MOST, Math.max(LEAST, Math.ceil(KINDS.length / Math.max(1, due)))) - 1;
  const dealt = Array.from({ length: due }, (_, index) => {
    const kinds = Array.from({ length: count }, (_kind, turn) => rest[(index * count + turn) % rest.length]);
    const first = firstKinds[index % firstKinds.length];
    return [first, ...kinds].filter((kind) => kind !== undefined);
  });
  keepApart(dealt);
  const alone = beginnings
    .slice(due, due + others)
    .map((kind) => [asVariation(kind[0] === 'digits' ? NUMBER : kind)]);
  return [...dealt.map((kinds) => kinds.map(asVariation)), ...alone];
}
