import { isObject } from '../../contract/schema.ts';
import type { Contract, Operation } from '../../model/contract.ts';
import { type Exchange, isSuccess, type Received } from '../../model/exchange.ts';
import { credentialsOf, needsKeyOfRun } from '../../model/http/credential.ts';
import { type Json, sameJson, stringifyJson } from '../../model/json.ts';
import type { Probe } from '../../model/probe.ts';
import type { Judged, ResponseOutcome } from '../evidence/judged.ts';
import { judgeBody } from './body.ts';
import { documentedStatus } from './status.ts';

const counts = new WeakMap<readonly Operation[], number>();

/** The number of credentials that the operations ask for: petspec has one key, which may fit only one of them. */
function credentialCount(operations: readonly Operation[]): number {
  const cached = counts.get(operations);
  if (cached !== undefined) return cached;
  const credentials = new Set(
    operations.filter(needsKeyOfRun).map(({ credential }) => JSON.stringify(credential ?? {})),
  );
  counts.set(operations, credentials.size);
  return credentials.size;
}

/** In words: why an operation may refuse a key that another operation accepts; empty if the document gives no reason. */
export function perhapsOtherKey(
  { probe, operation }: { probe: Pick<Probe, 'key'>; operation: Operation },
  status: number,
  { operations }: Pick<Contract, 'operations'>,
): string {
  const isAboutKey = probe.key === 'valid' && (status === 401 || status === 403);
  if (!isAboutKey || !needsKeyOfRun(operation) || credentialCount(operations) < 2) return '';
  const { in: place, name } = operation.credential ?? { in: 'header', name: 'Authorization' };
  return `; the document has several kinds of keys, and the one of this run may not be one for the ${place} ${name}`;
}

/** Headers that carry credentials, even if the document does not name them. */
const USUAL_NAMES = ['authorization', 'cookie', 'proxy-authorization'];

/**
 * Whether a service asks for a key that the document says is not needed, with a 401 that it does not list. A 401 may also refuse other
 * credentials of the request: a password in the body, a token in the path, a key of `--header`.
 * @param isAnyLetIn whether the service accepts other requests; otherwise something before it may ask for a key
 */
export function asksForNeedlessKey(
  exchange: Exchange,
  operation: Operation,
  { operations }: Pick<Contract, 'operations'>,
  isAnyLetIn: boolean,
): boolean {
  const status = exchange.response?.status;
  if (status !== 401 || !isAnyLetIn || !operation.needsNoKey || exchange.recorded === 'traffic') return false;
  if (documentedStatus(operation, status) !== undefined) return false;
  const hasValue =
    operation.path.includes('{') || exchange.requestBody !== undefined || exchange.url.includes('?');
  if (hasValue) return false;
  const ownNames = operation.parameters.map(({ name }) => name);
  const keyNames = credentialsOf({ operations }).map(({ name }) => name);
  const secret = new Set([...USUAL_NAMES, ...ownNames, ...keyNames].map((name) => name.toLowerCase()));
  return !exchange.requestHeaders.some(([name]) => secret.has(name.toLowerCase()));
}

/** The interface says nothing about other spellings of an address, so other responses to them are not judged. */
const NOT_JUDGED = {
  outcome: 'inconclusive',
  inconclusive: { reason: 'another spelling of the address is another address' },
  met: [],
  deviations: [],
  hidden: [],
} as const;

type SeenBody = Pick<Judged, 'value' | 'exchange'>;

/**
 * Judges a request without a key at another spelling of an address: only records must not come back.
 * @param controls in a document that does not say what else comes, the request with the key at the usual address: its records
 */
export function judgeSpelled(
  probe: Probe,
  operation: Operation,
  response: Received | undefined,
  controls: readonly SeenBody[] = [],
): Pick<Judged, 'met' | 'deviations' | 'hidden'> & ResponseOutcome {
  if (!response || probe.rule === undefined || response.status > 299) return NOT_JUDGED;
  const status = documentedStatus(operation, response.status);
  const documented = operation.responses.find((documentedResponse) => documentedResponse.status === status);
  const body = judgeBody(response, documented ?? {});
  const isEmpty = Array.isArray(body.value) && body.value.length === 0;
  const { value } = body;
  if (value === undefined || isEmpty || body.deviations.length > 0) return NOT_JUDGED;
  const isShown = (control: SeenBody) =>
    isSuccess(control.exchange) && control.value !== undefined && shareRecord(value, control.value);
  if (operation.mayRefuse && !controls.some(isShown)) return NOT_JUDGED;
  return {
    outcome: 'deviant',
    met: [],
    deviations: [
      {
        requirement: probe.rule,
        kind: 'status',
        reason: `${probe.title}: accepted with ${response.status}`,
        expected: 'status 401, or that there is nothing at this address',
        received: `status ${response.status} with a body as at the usual address`,
      },
    ],
    hidden: [],
  };
}

/**
 * Whether two bodies have a record in common: an entry of a list, or else the whole body. Its schema does not tell it from another
 * page, as a user's schema may fit any object.
 */
function shareRecord(value: Json, usual: Json): boolean {
  const [shown, known] = [entriesIn(value), entriesIn(usual)];
  if (known.length > 0) {
    const texts = new Set(known.map((entry) => stringifyJson(entry)));
    return shown.some((entry) => texts.has(stringifyJson(entry)));
  }
  // Without its entries, the envelope of a list is the same for everybody.
  return isRecord(usual) && !hasEmptyList(usual) && sameJson(value, usual);
}

/** The records in the lists of a body. */
function entriesIn(value: Json): Json[] {
  if (Array.isArray(value)) return value.flatMap((entry) => (isRecord(entry) ? [entry] : entriesIn(entry)));
  return isObject(value) ? Object.values(value).flatMap(entriesIn) : [];
}

/** Whether a value is an object with enough members to be told from others. */
function isRecord(value: Json): boolean {
  return isObject(value) && Object.keys(value).length > 1;
}

function hasEmptyList(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(hasEmptyList);
  return isObject(value) && Object.values(value).some(hasEmptyList);
}
