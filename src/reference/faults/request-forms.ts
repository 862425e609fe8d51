import { answering, withBody } from '../changes/changes.ts';
import type { CallWhere } from '../changes/where.ts';
import type { Call } from '../http/call.ts';
import { isObject } from '../http/json.ts';
import type { Fault } from './fault.ts';
import { crash, creatingOther, mojibake } from './mistakes.ts';

const typeOf = ({ headers }: Call) => headers['content-type'] ?? '';
const hasCharset = (call: Call) => typeOf(call).includes(';');
const isChunked = ({ headers }: Call) => headers['transfer-encoding'] !== undefined;
const adding = (when: (call: Call) => boolean): CallWhere => ({ operation: 'createPet', when });
const hasUnknown = ({ query }: Call) =>
  [...query.keys()].some((name) => name !== 'limit' && name !== 'status');

/** Forms of a request that a service may refuse, and that this one accepts and gets wrong, or fails to handle. */
export const unusualFormFaults: readonly Fault[] = [
  {
    id: 'charset-latin',
    summary: 'with a charset in Content-Type, a body is read as latin-1',
    violates: ['createPet.echo'],
    seeds: [1],
    ...creatingOther((animal, call) =>
      hasCharset(call) ? { ...animal, name: mojibake(animal.name) } : animal,
    ),
  },
  {
    id: 'charset-500',
    summary: 'the parameter of a Content-Type is looked up as a decoder that does not exist: 500',
    violates: ['createPet.responses'],
    seeds: [1],
    ...answering(adding(hasCharset), crash),
  },
  {
    id: 'type-case-500',
    summary: 'APPLICATION/JSON passes the check, but no parser is found for it: 500',
    violates: ['createPet.responses'],
    seeds: [5],
    ...answering(
      adding((call) => /[A-Z]/.test(typeOf(call))),
      crash,
    ),
  },
  {
    id: 'chunks-decoded-alone',
    summary: 'each chunk of a body is decoded by itself: a character that two chunks share is lost',
    violates: ['createPet.echo'],
    seeds: [3],
    ...creatingOther((animal, call) =>
      isChunked(call) ? { ...animal, name: animal.name.replace(/[^\0-\x7f]/u, '\ufffd\ufffd') } : animal,
    ),
  },
  {
    id: 'chunks-500',
    summary: 'a body without a Content-Length gets 500',
    violates: ['createPet.responses'],
    seeds: [3],
    ...answering(adding(isChunked), crash),
  },
  {
    id: 'escaped-path-without-id',
    summary: 'an addition at a path with an escape is answered by an older version: without the id',
    violates: ['Pet.id'],
    seeds: [7],
    ...withBody({ ...adding(({ path }) => path.includes('%')), status: 201 }, (body) => {
      if (!isObject(body)) return body;
      const { id: _, ...rest } = body;
      return rest;
    }),
  },
  {
    id: 'parameter-unknown-500',
    summary: 'an unknown parameter of a list becomes a column of the database query: 500',
    violates: ['listPets.responses'],
    seeds: [4, 6],
    ...answering({ operation: 'listPets', when: hasUnknown }, crash),
  },
  {
    id: 'origin-fetch-500',
    summary: 'GET /pets/{petId} fails if a request has an Origin',
    violates: ['getPet.responses'],
    seeds: [3],
    ...answering({ operation: 'getPet', when: ({ headers }) => headers.origin !== undefined }, crash),
  },
];
