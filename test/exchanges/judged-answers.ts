import { type Circumstances, inconclusiveOf, type Judged } from '../../src/judge/evidence/judged.ts';
import { judgeExchanges } from '../../src/judge/judge-exchanges.ts';
import type { Exchange, Received, Variation } from '../../src/model/exchange.ts';
import { contract, exchangeOf as exchangeWith, probeNamed, probes, responseTo } from './exchanges.ts';

/** What came back: a status, with the body that the interface documents for it; or something of a test's own. */
export type Answer =
  | number
  | { response?: Partial<Received>; failure?: Exchange['failure']; variation?: Variation };

function exchangeOf(id: number, name: string, answer: Answer): Exchange {
  const probe = probeNamed(name);
  const { response, failure, variation } =
    typeof answer === 'number'
      ? { response: { status: answer } }
      : { failure: undefined, variation: undefined, ...answer };
  return exchangeWith(probe, {
    id,
    sentAt: id,
    receivedAt: id,
    ...(response ? { response: responseTo(probe.operation, response) } : {}),
    ...(failure ? { failure } : {}),
    ...(variation ? { variation } : {}),
  });
}

export type Answers = Record<string, Answer | Answer[]>;

/** The exchanges of these probes, judged, in the order in which they are written. */
export function judge(answers: Answers, change: Partial<Circumstances> = {}): Judged[] {
  const exchanges = Object.entries(answers)
    .flatMap(([name, answer]) => [answer].flat().map((each) => [name, each] as const))
    .map(([name, answer], index) => exchangeOf(index + 1, name, answer));
  return judgeExchanges(exchanges, { contract, probes, today: 0, referencesKnown: true, ...change });
}

/** What is held against the last of them: the requirements, or why nothing is. */
export function heldAgainst(
  answers: Answers,
  change: Partial<Circumstances> = {},
): readonly string[] | string | undefined {
  const last = judge(answers, change).at(-1);
  if (!last) return undefined;
  return inconclusiveOf(last)?.reason ?? last.deviations.map(({ requirement }) => requirement);
}
