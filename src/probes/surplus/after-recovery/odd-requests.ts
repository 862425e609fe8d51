import type { Contract, Operation, RequestBody, Schema } from '../../../model/contract.ts';
import { expecting } from '../../../model/http/expectation.ts';
import type { LenientForm, Probe } from '../../../model/probe.ts';
import { fullBody, minimalBody } from '../../../requests/plain-values.ts';
import { invalidBody, referenceBody } from '../../bodies.ts';
import { documented, probe, success } from '../../probe.ts';
import { MINUS_ONE, ZERO } from '../../values.ts';
import { readBack, readOfNext } from '../reads-of-created.ts';

/** Changes of the text of a body that lacks a required field. Some parsers accept the result as JSON; every service refuses it. */
const ODD_BODIES: readonly (readonly [id: string, title: string, change: (text: string) => string])[] = [
  ['duplicate-name', 'one field twice', (text) => text.replace(/^\{("\w+":)/, '{$1null,$1')],
  ['other-case', 'one field again in capitals', (text) => text.replace(/^\{("\w+")/, withCapitals)],
  ['byte-order-mark', 'a byte order mark before the body', (text) => `\ufeff${text}`],
];

function withCapitals(_start: string, name: string): string {
  return `{${name.toUpperCase()}:[],${name}`;
}

/**
 * Wrong bodies in forms that parsers and proxies stumble over. All lack a required field, so a service that supports the form
 * refuses them as well, and nothing is added.
 */
export function oddBodies({ operations }: Contract): Probe[] {
  return operations
    .filter(({ address, responses }) => address === 'baseUrl' && responses.some(isRefusal))
    .flatMap((operation) => oddBodiesOf(operation, operation.body?.schema));
}

function oddBodiesOf(operation: Operation, { required = [], ...schema }: Schema = {}): Probe[] {
  const name = required.find((field) => schema.properties?.[field]?.type !== 'string');
  if (name === undefined || required.length < 2) return [];
  const { [name]: _removed, ...json } = fullBody(schema);
  const text = JSON.stringify(json);
  return [
    ...ODD_BODIES.map(([id, title, change]) =>
      invalidBody(operation, `further-${id}`, `${name} missing, and ${title}`, {
        body: { text: change(text) },
      }),
    ),
    {
      // A service may refuse the body, or its form.
      ...invalidBody(operation, 'further-encoding', `${name} missing, Content-Encoding: gzip`, {
        body: { json },
      }),
      variations: [{ id: 'encoding', kind: 'lenient', form: 'encoding' }],
    },
  ];
}

const isRefusal = ({ status }: { status: string }) => status === '400';

/** Forms of a read that a service may refuse. Each is in a separate request, because a refusal hides what else is in it. */
const READ_FORMS: readonly (readonly [form: LenientForm, title: string])[] = [
  ['broken-accept', 'a malformed Accept'],
  ['broken-percent', 'a percent sign that escapes nothing'],
];

/** Reads of the first list in forms that clients send by mistake. */
export function oddReads({ operations }: Contract): Probe[] {
  const list = operations.find(
    ({ address, method, path }) => address === 'baseUrl' && method === 'GET' && !path.includes('{'),
  );
  if (!list) return [];
  return READ_FORMS.map(([form, title]) =>
    probe(list, `further-${form}`, 'surplus', {
      title,
      validity: 'open',
      variations: [{ id: form, kind: 'lenient', form }],
    }),
  );
}

/** A text that PHP and Perl take for false. */
const FALSY = '0';
/** A control of `FALSY`: a service that wants letters in texts refuses both. */
const DIGIT = '7';

/**
 * Additions with the shortest texts: a digit, a zero, which careless code takes for an absent text, and an empty text. Earlier
 * runs sent the same digit and zero: a service that requires unique texts refuses the digit, and then the zero is not sent.
 * Reads before and after the zero show a service that caches a 404, or confuses its newest record with another one.
 * @returns groups of requests that follow each other
 */
export function shortTexts(contract: Contract, planned: readonly Probe[]): Probe[][] {
  return contract.operations
    .filter(({ address, method }) => address === 'baseUrl' && method === 'POST')
    .flatMap((operation) =>
      operation.body ? shortTextsOf(operation, operation.body, contract, planned) : [],
    );
}

function shortTextsOf(
  operation: Operation,
  { schema }: RequestBody,
  contract: Contract,
  planned: readonly Probe[],
): Probe[][] {
  const { properties = {} } = schema;
  const minimal = minimalBody(schema);
  const names = Object.keys(minimal).filter((name) => isFree(properties[name] ?? {}));
  if (names.length === 0) return [];
  const added = (id: string, title: string, text: string, fields: Partial<Probe>) =>
    probe(operation, `further-${id}`, 'surplus', {
      title,
      body: { json: { ...minimal, ...Object.fromEntries(names.map((name) => [name, text])) } },
      ...fields,
    });
  // The interface does not say how long a text has to be.
  const expectation = expecting(success(operation), documented(operation, '400'));
  const digit = added('digit', 'texts of one digit', DIGIT, { expectation });
  const zero = added('falsy-text', 'texts that are a zero', FALSY, {
    expectation: expecting(success(operation)),
    controls: [digit.id],
    onlyIf: { succeeded: digit.id },
  });
  const next = readOfNext(contract, planned, digit);
  const back = readBack(planned, zero);
  const mayBeEmpty = names.every((name) => !properties[name]?.minLength);
  return [
    [digit],
    [
      ...(next ? [{ ...next, onlyIf: { succeeded: digit.id } }] : []),
      zero,
      ...(back ? [{ ...back, onlyIf: { succeeded: zero.id } }] : []),
    ],
    ...(mayBeEmpty ? [[added('no-text', 'empty texts', '', { expectation })]] : []),
  ].map((group) => group.map((probe) => ({ ...probe, stage: 'surplus' as const })));
}

/** Additions with zeros, and with negative numbers, in place of references, if the plan has none. */
export function smallReferences({ operations }: Contract, planned: readonly Probe[]): Probe[] {
  const creations = planned.filter(({ stage }) => stage === 'create').map(({ id }) => id);
  return operations.flatMap((operation) => {
    const { body, address, method } = operation;
    if (!body || address !== 'baseUrl' || method !== 'POST') return [];
    return [ZERO, MINUS_ONE]
      .filter(({ id }) => !creations.includes(`${operation.id}:${id}`))
      .flatMap((extreme) => referenceBody(operation, body, { ...extreme, id: `further-${extreme.id}` }))
      .map((probe): Probe => ({ ...probe, stage: 'surplus' }));
  });
}

/** Whether a schema allows any text of one character. */
function isFree({ type, enum: members, pattern, format, minLength = 0 }: Schema): boolean {
  return type === 'string' && !members && !pattern && !format && minLength <= 1;
}
