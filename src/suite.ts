/**
 * `petspec/suite`: what the checks of an interface are written with. A file of its `suites/` exports them as `checks`.
 */

export { schemaErrors } from './contract/validation/schema-validator.ts';
export { ownedCheck } from './judge/derived-checks.ts';
export {
  type Check,
  type Evidence,
  type Examined,
  eachExchange,
  idsOf,
  observe,
  type Phase,
  unobservable,
} from './judge/evidence/check.ts';
export {
  hasEndedBefore,
  isLater,
  isOfOthers,
  isSound,
  isTogether,
  type Judged,
} from './judge/evidence/judged.ts';
export { judgeCount } from './judge/limiter/count.ts';
export { judgeEarly } from './judge/limiter/early-refusal.ts';
export { behaviorOf } from './judge/limiter/explanation/explain.ts';
export { judgeFalls } from './judge/limiter/explanation/remaining-falls.ts';
export { judgeRecovery } from './judge/limiter/recovery.ts';
export { judgeEnforced, noRefusal } from './judge/limiter/refusals.ts';
export { judgeReset } from './judge/limiter/reset.ts';
export { judgeConstant, judgePlan, judgeRemaining } from './judge/limiter/seen/headers.ts';
export type { Contract, Operation, Schema } from './model/contract.ts';
export { type Exchange, headerValue, headerValues, isSuccess } from './model/exchange.ts';
export type { Repetition } from './model/finding.ts';
export { type Deviation, type Finding, met, notTested, violated } from './model/finding.ts';
export { type Expectation, isExpected } from './model/http/expectation.ts';
export { parseHttpDate } from './model/http/http-date.ts';
export { type Json, parseJson, sameJson, stringifyJson } from './model/json.ts';
export { inferRatePlan, windowOf } from './model/limits/rate-plan.ts';
export { isLate, type Probe } from './model/probe.ts';
export { lenientBody, minimalBodyOf } from './probes/bodies.ts';
