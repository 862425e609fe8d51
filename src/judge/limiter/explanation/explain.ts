import { type Explanation, explanationOf } from '../../../limiter/explanation.ts';
import type { Evidence } from '../../evidence/check.ts';
import { judgeConstant } from '../seen/headers.ts';

const explanations = new WeakMap<Evidence['judged'], Explanation>();

/** A search sees only the exchanges, so it is the same whether their deviations are revealed or not. */
const searches = new WeakMap<Evidence['judged'], Explanation>();

/** Explains what a run shows of the limiter, once for each run. */
export function explain(evidence: Evidence): Explanation {
  const { judged } = evidence;
  const explanation = explanations.get(judged) ?? explanationFor(evidence);
  explanations.set(judged, explanation);
  return explanation;
}

function explanationFor(evidence: Evidence): Explanation {
  // A Limit that changes belongs to no limiter, and there would be one search for each figure.
  if (judgeConstant(evidence).status === 'violated') return { accounts: [] };
  const { judged } = evidence.unrevealed ?? evidence;
  const explanation = searches.get(judged) ?? explanationOf(evidence);
  searches.set(judged, explanation);
  return explanation;
}
