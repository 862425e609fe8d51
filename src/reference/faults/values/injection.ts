import { answering, withField } from '../../changes/changes.ts';
import { isObject } from '../../http/json.ts';
import { crash, naming, page } from '../building-blocks.ts';
import type { Fault } from '../fault.ts';
import { echoed } from './renaming.ts';

/** A quote that ends a string of the statement, and more of the statement. */
const SQL = /['"]\s*(?:\)\s*;|(?:or|and)\s+['"\d]|union\s+select)|;\s*(?:drop|delete|insert|update)\s/i;
/** A second command. */
const SHELL = /(?:&&|[|;&])\s*(?:cat|curl|echo|id|ls|nc|ping|reboot|rm|sh|shutdown|sleep|touch|whoami)\b/;
const NOTHING = /^(?:null|nil|none|undefined|nan)$/i;

/** Names that a database, a shell or a lax converter takes for something else. */
export const injectionFaults: readonly Fault[] = [
  {
    id: 'name-sql-500',
    summary: 'a name is pasted into SQL: one that ends the statement gets 500',
    violates: ['createPet.responses'],
    ...answering(
      naming((name) => SQL.test(name)),
      crash,
    ),
  },
  echoed('name-sql-comment', 'a name ends at a SQL comment', (name) =>
    name.replace(/\s*(?:--|\/\*).*$/s, ''),
  ),
  echoed(
    'name-shell-executed',
    'backticks and $(...) in a name are executed by a shell, without output',
    (name) => name.replaceAll(/\$\([^)]*\)|`[^`]*`/g, ''),
  ),
  {
    id: 'name-shell-502',
    summary: 'a name with a second command breaks the script that prints labels: the proxy returns 502',
    violates: ['createPet.responses'],
    ...answering(
      naming((name) => SHELL.test(name)),
      () => page(502),
    ),
  },
  {
    id: 'name-path-500',
    summary: 'a name with ../ is used as the name of a file: 500',
    violates: ['createPet.responses'],
    ...answering(
      naming((name) => name.includes('../') || name.includes('..\\')),
      crash,
    ),
  },
  {
    id: 'name-null',
    summary: 'the names null, None and NaN come back as null',
    violates: ['Pet.name'],
    ...withField(
      {
        operation: 'createPet',
        status: 201,
        when: ({ body }) => isObject(body) && NOTHING.test(String(body.name)),
      },
      'name',
      null,
    ),
  },
  {
    id: 'name-digits-number',
    summary: 'a name of digits alone comes back as a number',
    violates: ['Pet.name'],
    ...withField({ operation: 'createPet', status: 201 }, 'name', (name = null) =>
      /^\d{1,18}$/.test(String(name)) ? BigInt(String(name)) : name,
    ),
  },
];
