import { otherKeyId } from '../../contract/implied-requirements.ts';
import { type Resource, reachableWithKey, resourcesOf } from '../../contract/resources.ts';
import { createdBy, shownIds } from '../../contract/things/creation.ts';
import type { Contract, Operation } from '../../model/contract.ts';
import { isSuccess } from '../../model/exchange.ts';
import { notTested } from '../../model/finding.ts';
import { sameJson } from '../../model/json.ts';
import type { Looking } from '../../model/large/lookups.ts';
import { afterName, OTHER_KEY, WRITES } from '../../requests/write-names.ts';
import type { Check } from '../evidence/check.ts';
import type { Judged } from '../evidence/judged.ts';
import { isAbsent } from '../exchange/status.ts';
import { type ExchangeFinder, sentIn, type WrittenResult, writtenFinding } from './shown.ts';

/** Whether another key sees, lists, changes or removes what the key of the run created. */
export function otherKeyChecks(contract: Contract): Check[] {
  return resourcesOf(contract).flatMap((resource) =>
    reachableWithKey(resource).map((operation) => checkOf(resource, operation)),
  );
}

function checkOf(resource: Resource, operation: Operation): Check {
  const looking: Looking = {
    requirement: otherKeyId(operation),
    operations: new Set(
      [operation, resource.create, ...(resource.read ? [resource.read] : [])].map(({ id }) => id),
    ),
    probes: ({ id, key }) => key === 'second' && id === `${operation.id}:${OTHER_KEY.asked}`,
  };
  return {
    phase: 'functional',
    ...looking,
    needs: [],
    judge(evidence) {
      const sent = sentIn(evidence.judged);
      const asked = sent(operation, OTHER_KEY.asked);
      if (asked?.exchange.response?.status === 401)
        return notTested(
          'inconclusive',
          'the second key is refused with 401, so nothing is known of what it may reach',
        );
      const result = asked && examine(sent, resource, operation, asked);
      return writtenFinding(evidence, looking, result);
    },
  };
}

function examine(
  sent: ExchangeFinder,
  resource: Resource,
  operation: Operation,
  asked: Judged,
): WrittenResult {
  const { create, read, list, remove, replace } = resource;
  const creation = sent(create, WRITES.second);
  const id = creation && createdBy(resource, creation.exchange, creation.exchange.response)?.id;
  const reads = [OTHER_KEY.before, ...replace.map(({ method }) => afterName(method)), OTHER_KEY.afterRemoval];
  const name = operation === remove ? OTHER_KEY.afterRemoval : afterName(operation.method);
  // A change by an earlier request with another key does not count for this request.
  const before = reads
    .slice(0, Math.max(1, reads.indexOf(name)))
    .flatMap((readName) => sent(read, readName) ?? [])
    .findLast(({ exchange }) => isSuccess(exchange));
  if (!creation || id === undefined || !asked.exchange.response) return undefined;
  if (operation === list) {
    if (!shownIds(resource, list.id, asked.value).includes(id)) return { held: [asked] };
    return violatedBy('another key lists what was created', 'a list without it', 'a list with it', [
      creation,
      asked,
    ]);
  }
  // Without a read before it, nothing shows what the other key changed.
  if (!before) return undefined;
  if (operation === read) {
    if (!isSuccess(asked.exchange) || !isEqual(before, asked)) return { held: [asked] };
    return violatedBy('another key reads what was created', 'a refusal', statusOf(asked), [creation, asked]);
  }
  const isRemoval = operation === remove;
  const after = sent(read, name);
  const status = after?.exchange.response?.status;
  if (!after || status === undefined) return undefined;
  const isDone = isRemoval ? isAbsent(status) : isSuccess(after.exchange) && !isEqual(before, after);
  if (!isSuccess(asked.exchange) || !isDone) return { held: [asked, after] };
  const verb = isRemoval ? 'removes' : 'changes';
  return violatedBy(`another key ${verb} what was created`, 'a refusal', statusOf(asked), [creation, asked]);
}

function violatedBy(reason: string, expected: string, received: string, by: Judged[]): WrittenResult {
  return { wrong: { reason, expected, received }, by };
}

const statusOf = ({ exchange }: Judged) => `status ${exchange.response?.status}`;

function isEqual(left: Judged, right: Judged): boolean {
  return left.value !== undefined && right.value !== undefined && sameJson(left.value, right.value);
}
