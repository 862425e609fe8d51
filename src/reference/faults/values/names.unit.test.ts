import { adding, type ChangeCase, testChanges } from '../../../../test/services/change-cases.ts';
import type { Running } from '../../../../test/services/running-reference.ts';
import { markupFaults, scriptFaults, signFaults } from './names.ts';

/** The name of an animal as POST /pets returns it, as it is fetched, and as it is listed. */
async function nameSeen({ ask }: Running, name: string) {
  const created = await ask('/pets', adding({ name, categoryId: 1, status: 'sold' }));
  if (created.status !== 201) return created.status;
  const fetched = await ask(`/pets/${created.object.id}`);
  const { list } = await ask('/pets?status=sold&limit=100');
  const listed = list.find(({ id }) => id === created.object.id);
  return { created: created.object.name, fetched: fetched.object.name, listed: listed?.name };
}

const everywhere = (name: string) => ({ created: name, fetched: name, listed: name });

const named = (id: string, name: string, shown: unknown): ChangeCase => ({
  id,
  ask: (client) => nameSeen(client, name),
  usual: everywhere(name),
  shown,
});
const echoed = (id: string, name: string, changed: string) => named(id, name, everywhere(changed));
const stored = (id: string, name: string, changed: string) =>
  named(id, name, { created: name, fetched: changed, listed: changed });
const listed = (id: string, name: string, changed: string) =>
  named(id, name, { created: name, fetched: name, listed: changed });

testChanges(
  [...scriptFaults, ...signFaults, ...markupFaults],
  [
    echoed('name-script-unknown', 'Zoë Մարի თეა 猫', 'Zoë ???? ??? 猫'),
    stored('name-han-first', '王 Rex', ' Rex王'),
    listed('name-listed-without-marks', 'Zoe\u0308 \u00eb', 'Zoe \u00eb'),
    echoed('name-bidi-controls-lost', 'قطة\u200f Rex\u200e', 'قطة Rex'),
    echoed('name-rtl-digits-reversed', 'قطة 1234', 'قطة 4321'),
    stored('name-rtl-quotes-replaced', 'צה"ל \'x', 'צה\u05f4ל \u05f3x'),
    echoed('name-astral-letters-lost', '𠮷 🐈 x', '?? 🐈 x'),
    stored('name-emoji-modifiers-lost', '👍🏽 ❤\ufe0f x', '👍 ❤ x'),
    echoed('name-digit-first-marked', '7 of 9', "'7 of 9"),
    echoed('name-formula-marked', '=1+1 x', "'=1+1 x"),
    echoed('name-capitalized', 'de la O', 'De la O'),
    stored('name-digits-masked', 'Rex 12 12345', 'Rex 12 *****'),
    echoed('name-quotes-plain', '“Rex” ‘a’ «b»', '"Rex" \'a\' "b"'),
    echoed('name-backslash-read', 'a\\nb\\"c \\\\ d', 'a\nb"c \\\\ d'),
    stored('name-attributes-lost', '<i class="a">x</i> <b>', '<i>x</i> <b>'),
    listed('name-comments-hidden', 'a<!-- b -->c<br/>d', 'acd'),
    echoed('name-braces-evaluated', 'a{{7*7}}b {x}', 'ab {x}'),
    stored('name-percent-formatted', '%s 50% %d', 'undefined 50% undefined'),
    stored('name-percent-decoded', 'a%20b', 'a b'),
    listed('name-dollar-interpolated', 'a<%= x %>b#{y} $HOME', 'ab $HOME'),
    listed('name-dollar-replaced', 'a $& $1 $', 'a %name% $1 $'),
    stored('name-question-bound', 'a? ?', 'aNULL NULL'),
    echoed('name-gbk', '猫 🐈', '猫 ?'),
    named('name-apostrophe-beyond-latin', "Мурка O'Neil", 400),
    listed('name-like-json', '{"a": 1}', '{\\"a\\": 1}'),
    echoed('name-sql-comment', 'admin -- x', 'admin'),
    echoed('length-1024-cut', 'ab'.repeat(512), 'ab'.repeat(512).slice(0, -1)),
  ],
);
