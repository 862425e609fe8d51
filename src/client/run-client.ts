import { type Clock, realClock, steady } from '../model/clock.ts';
import type { Contract } from '../model/contract.ts';
import { newKeyFor } from '../model/http/credential.ts';
import { didYouMean, UsageError } from '../model/usage-error.ts';
import { type Reference, type ReferenceOptions, startReference } from '../reference/index.ts';
import { startForeignOrigin } from '../reference/scenarios/foreign-origin.ts';
import { type Scenario, type ScenarioSurroundings, scenarios, WAITS } from '../reference/scenarios/index.ts';
import type { ClientEnd, ClientTraffic, ScenarioTraffic } from '../traffic/client-check.ts';
import { MOST_REQUESTS, recorder } from './record.ts';

/** The service that a client is given: addresses, and a key that works for one scenario only. */
export interface Service {
  baseUrl: string;
  apiUrl: string;
  apiKey: string;
}

/**
 * Uses a service as the client does, until the client has ended. When `signal` aborts, it ends the client: the reason of
 * the signal is then how the client ended, a `ClientEnd`.
 */
export type Client = (service: Service, signal: AbortSignal) => Promise<ClientEnd>;

/** How a client is run. */
export interface ClientRunOptions {
  scenarios: readonly Scenario[];
  /** The most that a scenario may take, in ms. */
  timeout: number;
  /** Default: those of `petspec client`. */
  waits?: ScenarioSurroundings['waits'];
  /** How many scenarios run at the same time. Default: 1. */
  concurrency?: number;
  /** Default: the clock of this machine. */
  clock?: Clock;
  /** Ends the run early. */
  signal?: AbortSignal;
  /** Starts the server of a scenario. Default: the reference. */
  start?: (scenario: Scenario, options: ScenarioServer) => Promise<Reference>;
  /** Called when a scenario begins. */
  onScenario?: (scenario: Scenario) => void;
  /** Called for each secret of its own that the client sent. */
  onSecret?: (secret: string) => void;
}

/** The options that the server of a scenario is started with. */
export type ScenarioServer = Required<Pick<ReferenceOptions, 'clock' | 'apiKey' | 'changes'>>;

/** Runs a client through scenarios, each against a reference of its own. @returns what it sent, in the order of the scenarios */
export async function runClient(
  contract: Contract,
  client: Client,
  { scenarios, concurrency = 1, clock = realClock, ...options }: ClientRunOptions,
): Promise<ClientTraffic> {
  const traffic = new Map<Scenario, ScenarioTraffic>();
  const waiting = [...scenarios];
  // The clock of the machine may be set during the run.
  const time = steady(clock);
  const next = async (): Promise<void> => {
    const scenario = options.signal?.aborted ? undefined : waiting.shift();
    if (!scenario) return;
    options.onScenario?.(scenario);
    traffic.set(scenario, await runScenario(contract, client, scenario, { ...options, clock: time }));
    await next();
  };
  await Promise.all(Array.from({ length: concurrency }, next));
  return { contract, scenarios: numbered(scenarios.flatMap((scenario) => traffic.get(scenario) ?? [])) };
}

async function runScenario(
  contract: Contract,
  client: Client,
  scenario: Scenario,
  {
    waits = WAITS,
    onSecret = () => {},
    start = (_scenario, options) => startReference(options),
    clock,
    ...limits
  }: Omit<ClientRunOptions, 'scenarios'> & { clock: Clock },
): Promise<ScenarioTraffic> {
  const apiKey = newKeyFor(contract);
  const stop = new AbortController();
  const recording = recorder(clock, () => stop.abort(TOO_MANY));
  const foreign = await startForeignOrigin((request) => recording.onForeign(foreign.origin, request));
  const reference = await start(scenario, {
    clock,
    apiKey,
    changes: [...scenario.changes({ waits, foreignOrigin: foreign.origin }), recording.change],
  });
  try {
    const { baseUrl, apiUrl } = reference;
    const use = () => client({ baseUrl, apiUrl, apiKey }, stop.signal);
    const end = await ended(use, stop, limits);
    const recorded = recording.requests({
      contract,
      scenario: scenario.id,
      servers: { baseUrl, apiUrl },
      apiKey,
      onSecret,
    });
    return { scenario: scenario.id, ...recorded, end };
  } finally {
    await Promise.all([reference.close(), foreign.close()]);
  }
}

/** Waits for the end of a client, at the latest at the time limit or the end of the run. @param stop ends the client */
async function ended(
  use: () => Promise<ClientEnd>,
  stop: AbortController,
  { timeout, signal }: Pick<ClientRunOptions, 'timeout' | 'signal'>,
): Promise<ClientEnd> {
  // Not AbortSignal.timeout: inside AbortSignal.any, node garbage-collects it too early, and the client never ends.
  const cancel = realClock.timer(timeout, () => stop.abort(TIMED_OUT));
  const interrupt = () => stop.abort(INTERRUPTED);
  signal?.addEventListener('abort', interrupt);
  try {
    return signal?.aborted ? INTERRUPTED : await use();
  } finally {
    cancel();
    signal?.removeEventListener('abort', interrupt);
  }
}

const TIMED_OUT: ClientEnd = { kind: 'stopped', words: 'it was ended after the time limit' };
const TOO_MANY: ClientEnd = { kind: 'stopped', words: `it was ended after ${MOST_REQUESTS} requests` };
const INTERRUPTED: ClientEnd = { kind: 'stopped', words: 'it was ended with the run' };

/** Numbers the requests over all scenarios, from 1. */
function numbered(scenarios: readonly ScenarioTraffic[]): ScenarioTraffic[] {
  let id = 0;
  return scenarios.map((scenario) => ({
    ...scenario,
    requests: scenario.requests.map((request) => {
      id += 1;
      return { ...request, exchange: { ...request.exchange, id } };
    }),
  }));
}

/**
 * The scenario with this id.
 * @param setting the option that the id was passed to, for the message
 * @param offered the scenarios to choose from; by default those of the animal store
 * @throws UsageError if no scenario has this id
 */
export function statedScenario(
  setting: '--scenario' | "'scenarios'",
  id: string,
  offered: readonly Scenario[] = scenarios,
): Scenario {
  const scenario = offered.find((candidate) => candidate.id === id);
  if (scenario) return scenario;
  const ids = offered.map((candidate) => candidate.id);
  throw new UsageError(
    `${setting}: unknown scenario '${id}'${didYouMean(id, ids) || `; expected one of ${ids.join(', ')}`}`,
  );
}

/** The scenarios with their summaries, for the end of `--help`. */
export const SCENARIOS_HELP = `
Scenarios:
${scenarios.map(({ id, summary }) => `  ${id.padEnd(20)} ${summary}\n`).join('')}`;
