import { createRequire } from 'node:module';
import type { AlgorithmName, LimiterSettings, PlanName } from '../../src/reference/settings.ts';

// covertable is CommonJS with the mark of an ES module: Node and vitest import such a module differently.
const { make }: typeof import('covertable') = createRequire(import.meta.url)('covertable');

/** What a limiter counts together, by name. */
const COUNTED: Readonly<Record<string, Partial<LimiterSettings>>> = {
  'each address': {},
  'both addresses': { messages: 'shared' },
  'each operation': { scope: 'key-and-operation' },
  'each path': { scope: 'key-and-path' },
  'each method': { scope: 'key-and-method' },
  'one operation apart': { apart: ['getPet'] },
  'lists alone': { covers: ['listPets', 'getStoreOrders'] },
  'creations alone': { covers: ['createPet'] },
  'messages alone': { covers: ['sendMessage'] },
};

/** Who else uses the key, which the user says, by name. */
const OTHERS: Readonly<Record<string, Partial<LimiterSettings>>> = {
  nobody: {},
  'one in ten requests': { background: { perSecond: 0, perRequest: 0.1 } },
  'one in two seconds': { background: { perSecond: 0.5, perRequest: 0 } },
};

/** How the limiters of the matrix count. */
export const ALGORITHMS: readonly AlgorithmName[] = [
  'fixed-window',
  'offset-window',
  'first-request-window',
  'sliding-log',
  'sliding-segments',
  'sliding-counter',
  'whole-sliding-counter',
  'token-bucket',
  'token-bucket-in-lots',
  'gcra',
];

/** What a run may meet, whatever the service is. */
interface Circumstances {
  plan: PlanName;
  /** How many requests a burst has at most. */
  size: number;
  /** How long each response takes (ms). */
  latency: number;
  /** By how much the clock of the server is ahead (s). */
  clockSkew: number;
  connections: 'memory' | 'sockets';
  /** The seed of the run. */
  seed: number;
}

/** An honest limiter, and the circumstances of a run against it. */
export interface LimiterCell extends Circumstances {
  algorithm: AlgorithmName;
  counted: string;
  others: string;
  /** How long the shorter window lasts (s). */
  window: number;
  describes: LimiterSettings['describes'];
  resetMeans: LimiterSettings['resetMeans'];
  rounding: LimiterSettings['rounding'];
  retryAfter: LimiterSettings['retryAfter'];
  /** What else differs from the reference, which its limiter has nothing to do with. */
  beside: 'nothing' | 'a variant' | 'a fault';
}

/** A fault or a variant with its own limiter, and the circumstances of a run against it. */
export interface SubjectCell extends Circumstances {
  subject: 'a limiter fault' | 'a limiter variant' | 'a variant';
  /** Default: drawn. */
  id?: string;
  /** Requests in all, in several windows. Default: those of one. */
  budget?: number;
}

const CIRCUMSTANCES: Factors<Circumstances> = {
  plan: ['free'],
  size: [1, 2, 4, 16],
  latency: [0, 50, 300, 1_000, 3_000],
  clockSkew: [0, -240, 3_600],
  connections: ['memory', 'sockets'],
  seed: [0, 1, 2],
};

type Factors<Row> = { [Name in keyof Row]: Row[Name][] };

/** With others, any figure may be a lot that came back: what gives back requests so is not told from a wrong figure yet. */
const IN_LOTS: readonly (AlgorithmName | undefined)[] = ['token-bucket-in-lots', 'sliding-segments'];

function isJudged({ algorithm, others = 'nobody' }: Partial<LimiterCell>): boolean {
  return others === 'nobody' || !IN_LOTS.includes(algorithm);
}

/** A few of all combinations with an honest limiter: together, they have every pair of two values. The same for one seed. */
export function limiterCells(seed: number, plans: readonly PlanName[] = ['free']): LimiterCell[] {
  const factors: Factors<LimiterCell> = {
    ...CIRCUMSTANCES,
    plan: [...plans],
    algorithm: [...ALGORITHMS],
    counted: Object.keys(COUNTED),
    others: Object.keys(OTHERS),
    window: [2, 3, 5, 10, 20, 30, 60],
    describes: ['minute', 'tightest'],
    resetMeans: ['full', 'next'],
    rounding: ['up', 'down', 'second-longer'],
    retryAfter: ['seconds', 'http-date'],
    beside: ['nothing', 'a variant', 'a fault'],
  };
  return make(factors, { seed, preFilter: isJudged });
}

/**
 * Whether a search for what explains its figures takes many seconds: others use one of several counts, or a count that falls with
 * time; or lots come back while it is used.
 */
export function isSlow({ others, counted, algorithm, window }: LimiterCell): boolean {
  const isOfSeveral = /^each (?:operation|path|method)|apart$/.test(counted);
  const isUnclear = isOfSeveral || algorithm.endsWith('sliding-counter');
  return (others !== 'nobody' && isUnclear) || (algorithm === 'token-bucket-in-lots' && window <= 10);
}

/** The same for what has a limiter of its own. */
export function subjectCells(seed: number): SubjectCell[] {
  return make(
    {
      ...CIRCUMSTANCES,
      plan: ['free', 'pro', 'business'],
      subject: ['a limiter fault', 'a limiter variant', 'a variant'],
    } satisfies Factors<SubjectCell>,
    { seed },
  );
}

/** The limiter of a cell. */
export function limiterOf(cell: LimiterCell): Partial<LimiterSettings> {
  const { algorithm, window, describes, resetMeans, rounding, retryAfter } = cell;
  return {
    algorithm,
    minute: window * 1_000,
    describes,
    resetMeans,
    rounding,
    retryAfter,
    ...COUNTED[cell.counted],
    ...OTHERS[cell.others],
  };
}
