import type { RequestVariation } from '../../model/probe.ts';
import { type Draw, shuffled } from './random.ts';

type Kind = readonly [name: string, text: string];

/** Characters that a text may have: scripts, normal forms, and what careless code reads as something else. */
const KINDS: readonly [Kind, ...Kind[]] = [
  ['latin', 'Zoë ’Łatka“'],
  ['decomposed', 'Amélie'.normalize('NFD')],
  ['cyrillic', 'Мурка'],
  ['greek', 'Γάτα'],
  ['han', '猫咪'],
  ['kana', 'ネコ'],
  ['hangul', '고양이'],
  ['indic', 'कुत्ता คน'],
  ['rare-scripts', 'Արամ ሉሲ'],
  ['right-to-left', 'قطة "חתול\u200f"'],
  ['astral', '🐈🦊 𝒜'],
  ['joined', '👩‍🚀👍🏽❤️'],
  ['digits', '007 1e3'],
  ['quotes', '"Duke" O\'Neil'],
  ['markup', '<b id="x">Tom & J</b> &amp;&eacute;'],
  ['script', '<!-- x --><script>alert(1)</script>'],
  ['template', `{"x": 1} {{7*7}} \${HOME} #{1}`],
  ['percent', '50% %41 %s +1'],
  ['backslash', 'C:\\new / \\u0041'],
  ['blanks', 'two  blanks'],
];

/** Letters with accents and typographic signs: bytes that careless code reads in another encoding. */
export const ACCENTED: RequestVariation = { id: 'text:latin', kind: 'text', text: KINDS[0][1] };

/** Some characters matter only where a text begins. */
const BEGINNING: readonly string[] = ['digits', 'quotes', 'han'].map((name) => `text:${name}`);

/** A text has this many kinds of characters at most, and this many at least. */
const MOST = 7;
const LEAST = 3;

/**
 * Deals kinds of characters to requests: if there are enough requests, each kind is in one of them.
 * @param count how many requests there are
 */
export function dealTexts(count: number, draw: Draw): RequestVariation[][] {
  const deck = shuffled(KINDS, draw);
  const each = Math.min(MOST, Math.max(LEAST, Math.ceil(deck.length / Math.max(1, count))));
  return Array.from({ length: count }, (_, index) => {
    const kinds = Array.from({ length: each }, (_kind, turn) => deck[(index * each + turn) % deck.length]);
    const dealt = kinds.flatMap((kind): RequestVariation[] =>
      kind ? [{ id: `text:${kind[0]}`, kind: 'text', text: kind[1] }] : [],
    );
    const first = dealt.find(({ id }) => BEGINNING.includes(id));
    return first ? [first, ...dealt.filter((each) => each !== first)] : dealt;
  });
}
