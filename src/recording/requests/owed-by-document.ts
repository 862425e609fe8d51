import { keyRequirement } from '../../contract/requirements.ts';
import type { Operation } from '../../model/contract.ts';
import { credentialsIn } from '../../model/http/credential.ts';
import { expecting, isExpected, OPEN } from '../../model/http/expectation.ts';
import { keyRejection } from '../../probes/key-rejections.ts';
import { documented, success } from '../../probes/probe.ts';
import type { RequestProblem } from '../../traffic/classify.ts';
import { isPartial, type Owed, PARTIAL, type RecordedRequest, UNDECIDED } from './request.ts';

/**
 * The expected response to a recorded request by a document of the user, which says what may come and not when: a valid request
 * may be refused, and a wrong one may be repaired.
 */
export function owedByDocument(request: RecordedRequest): Owed {
  const { exchange, classified, standing } = request;
  const { operation, problems } = classified;
  const { key } = exchange;
  const expectation = operation.secured ? keyRejection(operation) : OPEN;
  // Without a 401, the document does not say what a key gets that may be valid elsewhere.
  const isRefusable = isExpected(expectation, '401');
  const wrongKey: Pick<Owed, 'validity' | 'expectation'> = { validity: 'invalid', expectation };
  if (key !== 'valid' && !operation.secured) return { ...UNDECIDED, key };
  const rule = keyRequirement(operation);
  if (key === 'absent') return { ...wrongKey, key, rule };
  if (key !== 'valid') return { ...wrongKey, key, rule: 'authentication.key' };
  if (isRefusable && standing.misused)
    return { ...wrongKey, key: standing.misused, rule: 'authentication.key' };
  // It is unknown whether the key was valid at that time.
  if (exchange.response?.status === 401 && !standing.isKeySteady)
    return isRefusable ? { ...wrongKey, key: 'unknown' } : UNDECIDED;
  return problems.length === 0 ? owedToValid(request) : owedToWrong(operation, problems);
}

function anyOf(operation: Operation, ...statuses: readonly string[]): string[] {
  return statuses.flatMap((status) => documented(operation, status));
}

function owedToValid({ exchange, classified: { operation } }: RecordedRequest): Owed {
  if (isPartial(exchange)) return PARTIAL;
  const status = exchange.response?.status ?? 0;
  const isRedirect = status >= 300 && status < 400;
  const places = [...operation.parameters, ...credentialsIn(operation)];
  const names = new Set(places.filter((place) => place.in === 'query').map(({ name }) => name));
  const sent = [...new URL(exchange.url).searchParams.keys()].map((name) => name.replace(/\[.*/, ''));
  const due = success(operation);
  // Undocumented parameters may have any meaning.
  if (isRedirect || due.length === 0 || !sent.every((name) => names.has(name))) return UNDECIDED;
  return { validity: 'valid', expectation: expecting(due) };
}

/** A service cannot repair a body without a required field. It may repair any other problem. */
function owedToWrong(operation: Operation, problems: readonly RequestProblem[]): Owed {
  const [problem, ...further] = problems;
  const refused = anyOf(operation, '400', '422', '4XX');
  const isMissing = problem?.kind === 'shape' && problem.keyword === 'required' && further.length === 0;
  if (!isMissing || refused.length === 0) return UNDECIDED;
  return { validity: 'invalid', expectation: expecting([], refused), rule: `${operation.id}.body` };
}
