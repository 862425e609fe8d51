import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../contract/schema.ts';
import { type Clock, VirtualClock } from '../model/clock.ts';
import { isProblem } from '../model/finding.ts';
import { UsageError } from '../model/usage-error.ts';
import { conduct } from '../run/conduct.ts';
import type { Interface } from '../run/contract-of.ts';
import { DEFAULT_OPTIONS, type RunOptions } from '../run/options.ts';
import { makePlan } from '../run/plan.ts';

/** A named difference of a service: a fault violates one requirement, a variant none. */
interface Difference {
  id: string;
  summary: string;
  violates?: string;
}

/** A started service. */
interface Running {
  baseUrl: string;
  close(): Promise<void> | void;
}

/** What the folder `service/` of an interface exports: a service and its differences. */
interface OwnService {
  start(settings: {
    clock: Clock;
    apiKey: string;
    /** Of another user. */
    secondKey: string;
    change?: Difference;
  }): Promise<Running>;
  faults: readonly (Difference & { violates: string })[];
  variants: readonly Difference[];
}

/** The trial of a difference, and what was wrongly reported, if anything. */
export interface DifferenceTrial {
  /** `no change` for the service as it is. */
  id: string;
  kind: 'service' | 'fault' | 'variant';
  problem?: string;
}

const KEY = 'petspec-selfcheck-key';
const SECOND_KEY = 'petspec-selfcheck-second';

/**
 * Tries every fault and variant of the service in an interface folder. Each fault must be reported by the requirement that it
 * names and by no other, each variant by none, and each sentence needs a fault that violates it.
 * @param seed how the valid requests vary; undefined: as in a run
 * @throws UsageError if the folder has no such service, or if it does not start
 */
export async function checkOwnInterface(
  folder: string,
  judging: Interface,
  onTried: (tried: DifferenceTrial) => void,
  seed?: number,
): Promise<{ tried: readonly DifferenceTrial[]; uncovered: readonly string[] }> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(
      `--interface: ${folder} is not a folder; name the one that has the service in its service/`,
    );
  const service = await serviceIn(folder);
  const tried: DifferenceTrial[] = [];
  const differences: (Difference | undefined)[] = [undefined, ...service.faults, ...service.variants];
  for (const change of differences) {
    const trial = await tryOne(service, judging, { change, seed });
    tried.push(trial);
    onTried(trial);
  }
  const violated = new Set(service.faults.map(({ violates }) => violates));
  const sentences = judging.contract.requirements.filter(
    ({ level, source }) => level === 'must' && source === 'listed',
  );
  const uncovered = sentences
    .map(({ id }) => id)
    .filter((id) => !violated.has(id) && !id.startsWith('service.'));
  return { tried, uncovered };
}

async function serviceIn(folder: string): Promise<OwnService> {
  const serviceFolder = join(folder, 'service');
  const name = statSync(serviceFolder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(serviceFolder).find((file) => /^index\.m?[jt]s$/.test(file))
    : undefined;
  if (name === undefined)
    throw new UsageError(
      `--interface: ${serviceFolder} has no index.js that starts a service, so there is nothing to try`,
    );
  const path = join(serviceFolder, name);
  const exported: Partial<OwnService> = await orMistake(
    path,
    import(/* @vite-ignore */ pathToFileURL(realpathSync(path)).href),
  );
  const { start, faults, variants } = exported;
  if (!start || !Array.isArray(faults) || !Array.isArray(variants))
    throw new UsageError(`--interface: ${path} does not export start, faults and variants`);
  return {
    faults,
    variants,
    // Inside a promise, so that an error thrown at once is a mistake as well.
    start: async (settings) => {
      const running: unknown = await orMistake(path, Promise.resolve(settings).then(start));
      if (isRunning(running)) return running;
      throw new UsageError(`--interface: ${path}: start returns no object with baseUrl and close()`);
    },
  };
}

function isRunning(value: unknown): value is Running {
  return isObject(value) && URL.canParse(String(value.baseUrl)) && typeof value.close === 'function';
}

/** The result of the user's code. @throws UsageError if it fails: that is not a bug of petspec */
async function orMistake<T>(path: string, promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    const [reason = ''] = String(error).split('\n');
    throw new UsageError(`--interface: ${path} does not start: ${reason}`);
  });
}

async function tryOne(
  service: OwnService,
  { contract, checks }: Interface,
  { change, seed }: { change: Difference | undefined; seed: number | undefined },
): Promise<DifferenceTrial> {
  const clock = new VirtualClock(Date.now());
  const keys = { apiKey: KEY, secondKey: SECOND_KEY };
  const running = await service.start({ clock, ...keys, ...(change ? { change } : {}) });
  const { baseUrl } = running;
  const [plan] = Object.keys(contract.ratePlans);
  const options: RunOptions = {
    ...DEFAULT_OPTIONS,
    write: true,
    baseUrl,
    ...keys,
    ...(plan ? { plan } : {}),
    ...(seed === undefined ? {} : { seed }),
  };
  const id = change?.id ?? 'no change';
  const kind = !change ? 'service' : change.violates === undefined ? 'variant' : 'fault';
  try {
    const runPlan = makePlan(contract, checks, options);
    const { findings } = await conduct(contract, runPlan, options, { baseUrl, ...keys }, { clock });
    const reported = Object.entries(findings)
      .filter(([, finding]) => isProblem(finding))
      .map(([requirement]) => requirement);
    const due = change?.violates === undefined ? [] : [change.violates];
    const isRight =
      reported.length === due.length && reported.every((requirement) => due.includes(requirement));
    const problem = `told ${reported.join(', ') || 'nothing'}${due.length > 0 ? `, expected ${due.join(', ')}` : ''}`;
    return { id, kind, ...(isRight ? {} : { problem }) };
  } finally {
    await running.close();
  }
}
