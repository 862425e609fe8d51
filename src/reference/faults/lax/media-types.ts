import type { Call } from '../../http/call.ts';
import type { Fault } from '../fault.ts';
import { crashing } from './reader.ts';

const typeOf = ({ headers }: Call) => headers['content-type'];

/** POST /pets: media types that no client of the interface sends. */
export const laxMediaTypeFaults: readonly Fault[] = [
  crashing(
    'pro',
    'lax-type-text-crash',
    'no parser is found for text/plain, and nobody looks: an uncaught error',
    'createPet',
    (call) => typeOf(call) === 'text/plain',
  ),
  crashing(
    'pro',
    'lax-type-absent-crash',
    'a request without Content-Type is an uncaught error',
    'createPet',
    (call) => typeOf(call) === undefined,
  ),
  crashing(
    'pro',
    'lax-type-form-crash',
    'a body that says it is a form, and is none, is an uncaught error',
    'createPet',
    (call) => typeOf(call)?.includes('form') === true,
  ),
];
