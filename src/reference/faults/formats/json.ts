import { answering, onCall } from '../../changes/changes.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';
import { creatingOther, keepingOther } from '../mistakes.ts';

const textOf = ({ bodyText = '' }: Call) => bodyText;
/** The fields of a body, in the order in which they were sent. */
const fieldsOf = ({ body }: Call) => (isObject(body) ? Object.keys(body) : []);
const isBefore = (call: Call, one: string, other: string) => {
  const fields = fieldsOf(call);
  return fields.includes(one) && fields.indexOf(one) < fields.indexOf(other);
};

/** A valid body that a careless parser refuses. */
const refusing = (when: (call: Call) => boolean) =>
  answering({ operation: 'createPet', when: (call) => isObject(call.body) && when(call) }, () =>
    errorAnswer(400, 'invalid_request', 'the body is not valid'),
  );
/** Reads another text than was sent. */
const reading = (change: (text: string) => string) =>
  onCall({ operation: 'createPet' }, (call) => ({
    ...call,
    bodyText: call.bodyText && change(call.bodyText),
  }));

/** White space, the order of fields, and escapes in the JSON that POST /pets receives. */
export const jsonFaults: readonly Fault[] = [
  {
    id: 'body-space-first',
    summary: 'a body that does not begin with a brace is rejected, even if only white space comes first',
    violates: ['createPet.201'],
    ...refusing((call) => /^\s/.test(textOf(call))),
  },
  {
    id: 'body-lines',
    summary: 'only the first line of a body is read: an indented one is rejected',
    violates: ['createPet.201'],
    ...refusing((call) => /[\r\n]\s*\S/.test(textOf(call).trim())),
  },
  {
    id: 'body-space-status',
    summary: 'status is found by a pattern that allows no white space around the colon: it is lost',
    violates: ['createPet.echo'],
    ...creatingOther(({ status, ...animal }, call) =>
      status === undefined || /"status"(?:\s+:|:\s)/.test(textOf(call)) ? animal : { ...animal, status },
    ),
  },
  {
    id: 'body-name-not-first',
    summary: 'the fields are read by position: a body in which name is not the first is rejected',
    violates: ['createPet.201'],
    ...refusing((call) => fieldsOf(call)[0] !== 'name' && fieldsOf(call).includes('name')),
  },
  {
    id: 'body-status-before-name',
    summary: 'a status before the name is ignored, because no animal exists yet that could have it',
    violates: ['createPet.echo'],
    ...creatingOther(({ status, ...animal }, call) =>
      status === undefined || isBefore(call, 'status', 'name') ? animal : { ...animal, status },
    ),
  },
  {
    id: 'body-name-last',
    summary: 'a name that is the last field is stored without its last character',
    violates: ['getPet.stored'],
    ...keepingOther((animal, call) =>
      fieldsOf(call).at(-1) === 'name' ? { ...animal, name: animal.name.slice(0, -1) } : animal,
    ),
  },
  {
    id: 'escape-pair-replaced',
    summary: 'an escaped surrogate pair is read as two separate characters, which are replaced',
    violates: ['createPet.echo'],
    ...reading((text) => text.replaceAll(/(?<!\\)\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/gi, '\ufffd\ufffd')),
  },
  {
    id: 'escape-dropped',
    summary: 'the backslash of an escape such as \\u0041 in a name is dropped: u0041 comes back',
    violates: ['createPet.echo'],
    ...creatingOther((animal, call) => {
      const text = textOf(call).replaceAll(/(?<!\\)\\u(?!d[89a-f])([\da-f]{4})/gi, 'u$1');
      const { name } = JSON.parse(text) as { name?: string };
      return { ...animal, name: name ?? animal.name };
    }),
  },
  {
    id: 'escape-upper-case',
    summary: 'an escape with hexadecimal digits in upper case is rejected',
    violates: ['createPet.201'],
    ...refusing((call) => /\\u(?=[\dA-F]*[A-F])[\dA-F]{4}/.test(textOf(call))),
  },
  {
    id: 'escape-slash-kept',
    summary: 'an escaped slash comes back with its backslash',
    violates: ['createPet.echo'],
    seeds: [0, 1, 2, 4, 5, 6],
    ...reading((text) => text.replaceAll(/(?<!\\)((?:\\\\)*)\\\//g, '$1\\\\/')),
  },
  {
    id: 'escape-slash-refused',
    summary: 'an escaped slash is rejected as an unknown escape',
    violates: ['createPet.201'],
    seeds: [0, 1, 2, 4, 5, 6],
    ...refusing((call) => /(?<!\\)(?:\\\\)*\\\//.test(textOf(call))),
  },
];
