import type {
  Figures,
  Misfit,
  Model,
  Observation,
  State,
} from '../../src/judge/limiter/explanation/models/model.ts';
import { exchange } from '../exchanges/exchange.ts';

export const FIGURES: Figures = { limit: 60, windowMs: 60_000, burst: 0 };
export const LAST = 20;
/** No request has this number. */
export const NEVER = LAST + 1;

/** Twenty requests, one after the other. A search knows its observations again, so each test has its own. */
export const observed = (): Observation[] =>
  Array.from({ length: LAST }, (_, index) => {
    const sentAt = 1_000 * index;
    return {
      exchange: exchange({ id: index + 1, sentAt, receivedAt: sentAt + 1 }),
      at: { lo: sentAt, hi: sentAt + 2 },
      kind: 'listPets, 200',
      outcome: 'let-through',
      others: 0,
      held: 0,
      beside: 0,
    };
  });

/** Remaining rises after the tenth request, and nothing comes back. */
export const risen = (): Observation[] =>
  observed().map((each, index) => ({ ...each, ...(index < 9 ? {} : { remaining: index === 9 ? 5 : 50 }) }));
export const NEVER_BACK: NonNullable<Model['bounds']> = {
  leftIf: (_figures, { remaining }) => ({ lo: remaining, hi: remaining }),
  ways: () => [{ returned: 0 }],
};

/** A state after so many requests. Two on different branches are alike only if `isAlike`. */
export interface Branch {
  path: string;
  isAlike: boolean;
  /** The request that it does not explain. */
  until: number;
}

/** Where a state may go on after a request. */
export type Ways = (id: number, branch: Branch) => readonly Branch[];

/** What a state says that does not explain a request: how often it went `b` tells it from others. */
const wrongOf = ({ path }: Branch): Misfit => ({
  kind: 'remaining',
  expected: { lo: 0, hi: path.split('b').length - 1 },
});

/** Explains all requests before `until`. With two ways to go on after each, a quick search gives up. */
function stateOf(branch: Branch, ways: Ways): State {
  return {
    left: { lo: 1, hi: 60 },
    key: branch.path,
    ...branch,
    covers: (other) => {
      const { path, until } = other as unknown as Branch;
      return branch.isAlike && branch.until === until && path.length === branch.path.length;
    },
    follow: ({ exchange: { id } }) => {
      const next = ways(id, branch).map((each) => stateOf(each, ways));
      return id === branch.until ? wrongOf(branch) : next;
    },
  };
}

/** The branch after one more request, which went this way. */
export const ahead =
  (way: string) =>
  (branch: Branch): Branch => ({ ...branch, path: `${branch.path}${way}` });
export const one: Ways = (_id, branch) => [ahead('a')(branch)];
export const two: Ways = (_id, branch) => [ahead('a')(branch), ahead('b')(branch)];

export function modelOf(name: string, start: Partial<Branch>, ways: Ways, surprise = 0): Model {
  const branch = { path: '', isAlike: false, until: NEVER, ...start };
  return { name, surprise, counting: 'every', start: () => [stateOf(branch, ways)] };
}

export const explains = (name: string) => modelOf(name, {}, one);
export const misfits = (name: string, until: number, surprise = 0) => modelOf(name, { until }, one, surprise);
/** A quick search gives up; a thorough one sees that the branches are alike, and that none explains the last request. */
export const isRefuted = (name: string) => modelOf(name, { isAlike: true, until: LAST }, two);
/** Every search gives up. */
export const isUndecided = (name: string) => modelOf(name, { until: LAST }, two);
