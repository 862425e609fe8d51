import { counted } from '../../model/report/report.ts';
import { type RepeatedRequest, type Reproduction, requestsIn } from '../../model/report/reproduction.ts';
import { createsRecord } from '../../probes/probe.ts';
import type { Source } from '../../reproduction/steps.ts';

/** The number of requests that is worth a warning. */
const MANY = 8;

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What a user has to know before sending a reproduction: what it writes, and what it uses up. */
export function warningOf(
  reproduction: Reproduction,
  { contract }: Pick<Source, 'contract'>,
): string | undefined {
  const repeated = 'repeated' in reproduction ? reproduction.repeated : [];
  const times = 'times' in reproduction ? reproduction.times : 1;
  const sent = requestsIn(reproduction).map((request) => ({
    request,
    times: repeated.includes(request) ? Math.ceil(times / repeated.length) : 1,
  }));
  const countOf = (isWanted: (request: RepeatedRequest) => boolean) =>
    sent.reduce((sum, each) => sum + (isWanted(each.request) ? each.times : 0), 0);
  const creations = new Set(contract.operations.filter(createsRecord).map(({ id }) => id));
  const isCreation = ({ operation }: RepeatedRequest) => creations.has(operation);
  // A refused request only writes if the service accepts it now.
  const isRefused = ({ status = 0 }: RepeatedRequest) => status >= 400 && status < 500;
  const added = countOf((each) => isCreation(each) && !isRefused(each));
  const mayAdd = countOf((each) => isCreation(each) && isRefused(each));
  const isOther = (each: RepeatedRequest) => !isCreation(each) && !SAFE.has(each.method);
  const posted = countOf((each) => isOther(each) && each.method === 'POST');
  const changed = countOf((each) => isOther(each) && each.method !== 'POST');
  const total = countOf(() => true) + (reproduction.shape === 'after-wait' ? 1 : 0);
  const requests = counted(total, 'request');
  const usesUpLimit = 'usesUpLimit' in reproduction && reproduction.usesUpLimit;
  const parts = [
    ...(added > 0 ? [added === 1 ? 'adds a record' : `adds up to ${added} records`] : []),
    ...(added === 0 && mayAdd > 0 ? ['adds a record if the service accepts it'] : []),
    ...(posted > 0 ? ['may write something'] : []),
    ...(changed > 0 ? ['may change or remove a record'] : []),
    ...(usesUpLimit ? [`uses up the rate limit of the key with up to ${requests}`] : []),
    ...(!usesUpLimit && total >= MANY ? [`sends up to ${requests}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}
