import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import type { Change } from '../../src/reference/changes/change.ts';
import { answering, onAnswer } from '../../src/reference/changes/changes.ts';
import { crash } from '../../src/reference/faults/mistakes.ts';
import { type Answer, errorAnswer } from '../../src/reference/http/answer.ts';
import type { Call } from '../../src/reference/http/call.ts';
import { conductChanged, planOfTrial, tryChange } from '../../src/selfcheck/selfcheck.ts';

// A service that fails now and then also fails where the limit is used up, and after the wait. That is no fault of its
// limiter.

const contract = loadContract();
const subjectOf = (violates: string, change: Change) => ({
  fault: { id: 'tried', summary: 'tried', violates: [violates] as [string], ...change },
});
const problemsOf = async (violates: string, change: Change) => {
  const subject = subjectOf(violates, change);
  return (await tryChange(contract, planOfTrial(contract, subject), subject)).problems;
};

/** The requests with the key at the base address, in the order in which they arrive. */
const isCounted = ({ listener, key }: Pick<Call, 'listener' | 'key'>) =>
  listener === 'animals' && key === 'valid';

/** Whether a call is the n-th request with the key. Several hooks may ask. */
const isNth = (n: number) => (call: Call) => {
  if (!isCounted(call)) return false;
  const seen = call.recall('counted', () => new Set<number>()).add(call.number);
  return seen.size === n && [...seen].at(-1) === call.number;
};

const bare = (): Answer => errorAnswer(503, 'unavailable', 'busy');
const withoutHeaders = (isIt: (call: Call) => boolean): Change => ({
  around: (call, next) => (isIt(call) ? bare() : next(call)),
});

const subject = subjectOf('listPets.200', {});
const { exchanges } = await conductChanged(contract, planOfTrial(contract, subject), subject);
const counted = exchanges.filter(({ key, address }) => key === 'valid' && address === 'baseUrl');
const isPlain = ({ stage, variation, variations = [] }: Exchange) =>
  (stage === 'exhaust' || stage === 'recover') && variation === undefined && variations.length === 0;
/** The last plain lists: those that use up the limit, the request over it, and the one after the wait. */
const last = counted.flatMap((each, index) => (isPlain(each) ? index + 1 : [])).slice(-5);
/** The operation never sees the request that is refused. */
const refused = counted.findIndex(({ response }) => response?.status === 429) + 1;
const handled = last.filter((n) => n !== refused).map((n) => (n > refused ? n - 1 : n));

test.each(handled)('an error in one list is an error of the list: request %i that it gets', async (n) => {
  expect(await problemsOf('listPets.200', answering({ when: isNth(n) }, crash))).toEqual([]);
});

test.each(last)('a 503 from in front of the service is a failure of the list: request %i', async (n) => {
  expect(await problemsOf('listPets.200', withoutHeaders(isNth(n)))).toEqual([]);
});

test.each([503, 500])('a limiter that refuses with a bare %i is to blame for that', async (status) => {
  const refusing = onAnswer({ status: 429 }, () => ({ ...bare(), status }));
  expect(await problemsOf('TooManyRequests', refusing)).toEqual([]);
});
