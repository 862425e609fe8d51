import { books } from './books.mjs';
import { keys } from './keys.mjs';
import { lists } from './lists.mjs';
import { problems } from './problems.mjs';

/** What an implementer gets wrong: each is reported by the requirement that it names, and by no other. */
export const faults = [...lists, ...keys, ...books, ...problems];
