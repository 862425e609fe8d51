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

const ALGORITHMS: readonly AlgorithmName[] = [
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

/** An honest limiter, and the circumstances of a run against it. */
export interface Cell {
  algorithm: AlgorithmName;
  counted: string;
  others: string;
  /** How long the shorter window lasts (s). */
  window: number;
  describes: LimiterSettings['describes'];
  resetMeans: LimiterSettings['resetMeans'];
  rounding: LimiterSettings['rounding'];
  retryAfter: LimiterSettings['retryAfter'];
  /** How long each response takes (ms). */
  latency: number;
  /** How many requests a burst has at most. */
  size: number;
  /** By how much the clock of the server is ahead (s). */
  clockSkew: number;
  plan: PlanName;
  connections: 'memory' | 'sockets';
}

/** With others, any figure may be a lot that came back: what gives back requests so is not told from a wrong figure yet. */
const IN_LOTS: readonly (AlgorithmName | undefined)[] = ['token-bucket-in-lots', 'sliding-segments'];

function isJudged({ algorithm, others = 'nobody' }: Partial<Cell>): boolean {
  return others === 'nobody' || !IN_LOTS.includes(algorithm);
}

/** A few of all combinations: together, they have every pair of two values. The same for one seed. */
export function cellsOf(seed: number, plans: readonly PlanName[] = ['free']): Cell[] {
  const factors: { [Name in keyof Cell]: Cell[Name][] } = {
    algorithm: [...ALGORITHMS],
    counted: Object.keys(COUNTED),
    others: Object.keys(OTHERS),
    window: [2, 3, 5, 10, 20, 30, 60],
    describes: ['minute', 'tightest'],
    resetMeans: ['full', 'next'],
    rounding: ['up', 'down', 'second-longer'],
    retryAfter: ['seconds', 'http-date'],
    latency: [0, 50, 300, 1_000, 3_000],
    size: [1, 2, 4, 16],
    clockSkew: [0, -240, 3_600],
    plan: [...plans],
    connections: ['memory', 'sockets'],
  };
  return make(factors, { seed, preFilter: isJudged });
}

/** The limiter of a cell. */
export function limiterOf(cell: Cell): Partial<LimiterSettings> {
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
