import type { Contract, Operation } from '../../../model/contract.ts';
import type { Probe, RequestVariation } from '../../../model/probe.ts';
import { minimalBodyOf } from '../../bodies.ts';
import { guessedPath } from '../../parameters.ts';
import { byOperation, probe } from '../../probe.ts';
import { alternated } from '../merged.ts';

type UndocumentedVariation = Extract<RequestVariation, { kind: 'undocumented' }>;

const undocumented =
  (part: UndocumentedVariation['part']) =>
  ([name, value]: readonly [name: string, value: unknown]): UndocumentedVariation => ({
    id: `${part}:${name}`,
    kind: 'undocumented',
    part,
    name,
    value,
  });

/** Parameters of other services, with values that code stumbles over. */
const PARAMETERS = (
  [
    [
      ['offset', '-1'],
      ['page', 'abc'],
      ['sort', '%'],
      ['cursor', '\u0000'],
      ['fields', 'id,'],
      ['q', "'"],
      ['filter', '{"$ne":null}'],
    ],
    [
      ['limit[]', '5'],
      ['status[$ne]', 'sold'],
      ['order', 'desc;'],
      ['include', '*'],
      ['search', '%_\\'],
      ['category_id', '1e400'],
      ['callback', 'x'],
    ],
  ] as const
).map((group) => group.map(undocumented('parameter')));

/** Headers that browsers, clients and proxies add. With each of them, the usual response conforms. */
const HEADERS = (
  [
    ['accept', 'text/html,application/xhtml+xml,*/*;q=0.8'],
    ['cookie', 'session="%00; theme'],
    ['accept-language', 'xx-invalid, *;q=2'],
    ['if-none-match', '"petspec"'],
    ['if-modified-since', 'Thu, 32 Jan 1970 00:00:00 GMT'],
    ['x-request-id', 'x'.repeat(300)],
    ['x-forwarded-proto', 'ftp'],
    ['referer', 'https://shop.example/animals'],
    ['prefer', 'return=minimal; foo="'],
    ['priority', 'u=9'],
  ] as const
).map(undocumented('header'));

/** Fields that no schema lists. */
const FIELDS = (
  [
    ['__proto__', { petspec: 1 }],
    ['constructor', 'x'],
    ['createdAt', 'yesterday'],
    ['tags', [[], {}]],
    ['owner', { name: { first: null } }],
    ['', 0],
    ['price', 1e300],
  ] as const
).map(undocumented('field'));

/**
 * Requests with several inputs that the interface says nothing about: a service may ignore or refuse them, but must not fail.
 * They are sent one by one only if the response is wrong.
 * @param planned the plan, which shows ids for the path
 */
export function openTogether({ operations }: Contract, planned: readonly Probe[]): Probe[] {
  const probesOf = byOperation(planned);
  const atBase = operations.filter(({ address }) => address === 'baseUrl');
  const reads = atBase.filter(({ method }) => method === 'GET');
  const lists = reads.filter(({ path }) => !path.includes('{'));
  const read = (operation: Operation, id: string, title: string, variations: readonly RequestVariation[]) =>
    probe(operation, `further-${id}`, 'surplus', {
      title,
      validity: 'open',
      path: guessedPath(probesOf(operation.id), operation.id),
      variations,
    });
  const [firstList, ...otherLists] = lists.map((operation) => [
    read(operation, 'parameters-1', 'undocumented parameters', PARAMETERS[0] ?? []),
    read(operation, 'headers', 'headers of browsers, clients and proxies', HEADERS),
    read(operation, 'parameters-2', 'more undocumented parameters', PARAMETERS[1] ?? []),
  ]);
  return [
    ...(firstList ?? []),
    ...atBase.flatMap(withFields),
    ...alternated(otherLists),
    ...reads
      .filter((operation) => !lists.includes(operation))
      .map((operation) => read(operation, 'parameters-1', 'undocumented parameters', PARAMETERS[0] ?? [])),
  ];
}

/** An addition with fields that the schema does not list. */
function withFields(operation: Operation): Probe[] {
  const { body } = operation;
  if (body?.schema.type !== 'object') return [];
  const id = 'further-fields';
  return [
    probe(operation, id, 'surplus', {
      title: 'fields that the schema does not list',
      validity: 'open',
      body: minimalBodyOf(`${operation.id}:${id}`, body),
      variations: FIELDS,
    }),
  ];
}
