import type { RequestVariation } from '../../model/probe.ts';
import { longText } from '../../requests/plain-values.ts';
import { AS_LONG } from '../../requests/varied-probe.ts';
import { type Draw, shuffled } from './random.ts';

type TextKind = readonly [name: string, text: string];

/** Characters that a text may have: scripts, normal forms, and what careless code reads as something else. */
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

/** Digits alone, which careless code takes for a number: it begins with zeros. A request that may be refused has it alone. */
const NUMBER: TextKind = ['number', '00'];

/** Letters with accents and typographic signs: bytes that careless code reads in another encoding. */
export const ACCENTED: RequestVariation = { id: 'text:latin', kind: 'text', text: KINDS[0][1] };

/** Plain letters with as many bytes as the texts among these variations, and so no fewer characters; undefined without any. */
export function plainText(variations: readonly RequestVariation[]): RequestVariation | undefined {
  const texts = variations.filter((each) => each.kind === 'text').map(({ text }) => text);
  if (texts.length === 0) return undefined;
  return { id: AS_LONG, kind: 'text', text: longText(Buffer.byteLength(texts.join(' '))) };
}

/** Some characters matter only where a text begins. */
const BEGINNING: readonly string[] = ['digits', 'quotes', 'lower', 'percent'];

/** Characters beyond ASCII are for texts that have to be accepted. */
const isFirst = ([name]: TextKind) => name === 'han';
const isBeginning = ([name]: TextKind) => BEGINNING.includes(name);

/** A text has this many kinds of characters at most, and this many at least. */
const MOST = 7;
const LEAST = 3;

const asVariation = ([name, text]: TextKind): RequestVariation => ({
  id: `text:${name}`,
  kind: 'text',
  text,
});

/**
 * Deals kinds of characters to requests. If enough requests have to be accepted, each kind is in one of those. What then
 * begins none of them begins one of the others, which has nothing else: that a service fails is clearest where it must not.
 * @param due how many requests have to be accepted
 * @param others how many may be refused
 */
export function dealTexts(due: number, others: number, draw: Draw): RequestVariation[][] {
  const beginnings = [...KINDS.filter(isFirst), ...shuffled(KINDS.filter(isBeginning), draw)];
  const own = shuffled(beginnings.slice(0, due), draw);
  const rest = shuffled(
    KINDS.filter((kind) => !own.includes(kind)),
    draw,
  );
  const count = Math.min(MOST, Math.max(LEAST, Math.ceil(KINDS.length / Math.max(1, due)))) - 1;
  const dealt = Array.from({ length: due }, (_, index) => {
    const kinds = Array.from({ length: count }, (_kind, turn) => rest[(index * count + turn) % rest.length]);
    return [own[index % own.length], ...kinds].flatMap((kind) => (kind ? [asVariation(kind)] : []));
  });
  const left = beginnings
    .slice(due, due + others)
    .map((kind) => [asVariation(kind[0] === 'digits' ? NUMBER : kind)]);
  return [...dealt, ...left];
}
