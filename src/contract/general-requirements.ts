import type { Operation, Requirement } from '../model/contract.ts';
import { resourcesOf } from './resources.ts';
import { FIRST_SET } from './sets.ts';

const SECTION = 'Every operation';

/**
 * The requirements of every service, whatever its document says.
 * @param isLimited whether requirements.yaml states rate plans
 */
export function generalRequirements(operations: readonly Operation[], isLimited: boolean): Requirement[] {
  const has = (wanted: string) =>
    operations.some(({ responses }) => responses.some(({ status }) => status === wanted));
  // A limit is used up with reads that need no id.
  const areRefused = (isLimited || has('429')) && operations.some(isPlainRead);
  const resources = resourcesOf({ operations });
  const isWritable = resources.length > 0;
  const written = new Set(
    resources.flatMap(({ create, replace, parts, remove }) => [create, ...replace, ...parts, remove]),
  );
  const isSecured = operations.some(
    (operation) => operation.secured && (operation.method === 'GET' || written.has(operation)),
  );
  return GENERAL.filter(
    ({ id }) =>
      (isSecured || !id.startsWith('authentication.')) &&
      (areRefused || !id.startsWith('rate-limit.')) &&
      (isWritable || id !== 'open.left-over'),
  ).map((requirement) => ({
    ...requirement,
    section: SECTION,
    source: 'listed',
    since: FIRST_SET,
  }));
}

function isPlainRead({ method, address, parameters }: Operation): boolean {
  return (
    method === 'GET' && address === 'baseUrl' && !parameters.some((parameter) => parameter.in === 'path')
  );
}

const GENERAL: readonly Pick<Requirement, 'id' | 'level' | 'statement'>[] = [
  {
    id: 'service.http',
    level: 'must',
    statement: 'The service speaks HTTP; every request gets one complete response.',
  },
  {
    id: 'service.content-type',
    level: 'must',
    statement: 'Response bodies are declared as a documented media type.',
  },
  {
    id: 'service.json',
    level: 'must',
    statement:
      'Each JSON body is one JSON value in UTF-8, without contradictory duplicate names in an object.',
  },
  { id: 'rate-limit.enforced', level: 'must', statement: 'A request over the stated limit gets 429.' },
  {
    id: 'rate-limit.recovery',
    level: 'should',
    statement: 'After the time in Retry-After, requests are let through again.',
  },
  { id: 'authentication.key', level: 'must', statement: 'An invalid key is rejected.' },
  {
    id: 'open.refusals',
    level: 'open',
    statement: 'When a valid request is refused with a 4xx is not shown.',
  },
  {
    id: 'open.left-over',
    level: 'open',
    statement: 'Whether everything that a client creates can be removed again is not shown.',
  },
];
