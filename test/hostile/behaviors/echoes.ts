import { spellingsOf } from '../../secrets/spellings.ts';
import { at, type Behavior, CONFORMS } from '../behavior.ts';
import { bytesOf, partsOf, withBody } from '../bytes.ts';
import { type Asked, KEY } from '../raw-service.ts';

/** The key as it was sent, or what was sent in its place. */
function sentIn({ bytes }: Asked): string {
  return /^authorization: (?:\w+ )?(.*)$/im.exec(bytes.toString('latin1'))?.[1] ?? '';
}

/** Answers that give the key back: each conforms, and no report has the key. */
export const echoes: readonly Behavior[] = [
  at(
    'createPet',
    'echo-spellings',
    'gives the key back in fifty spellings, as further fields of every body',
    async ({ socket, usual }, asked) => {
      const parts = partsOf(await usual());
      const echo = { bytes: [...Buffer.from(sentIn(asked))], spellings: spellingsOf(sentIn(asked)) };
      const body = JSON.stringify(echo).replace('{', () => parts.body.toString().replace(/\}\s*$/, ','));
      socket.write(bytesOf(withBody(parts, body)));
    },
    CONFORMS,
  ),
  at(
    'listPets',
    'echo-halves',
    'gives the key back in two halves, in two headers',
    async ({ socket, usual }, asked) => {
      const { status, headers, body } = partsOf(await usual());
      const half = KEY.length / 2;
      const halves = [sentIn(asked).slice(0, half), sentIn(asked).slice(half)];
      const lines = [`X-First: ${halves[0]}`, 'X-Between: 1', `X-Second: ${halves[1]}`];
      socket.write(bytesOf({ status, headers: [...headers, ...lines], body }));
    },
    CONFORMS,
  ),
];
