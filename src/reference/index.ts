import type { Duplex } from 'node:stream';
import type { Clock } from '../model/clock.ts';
import type { Change } from './changes/change.ts';
import type { LogEntry } from './http/call.ts';
import { listen, listenInMemory } from './http/listener.ts';
import { refuseWrongOptions } from './refuse-wrong-options.ts';
import type { Served } from './service.ts';
import { createService } from './service.ts';
import type { Plan, PlanName, SettingsChange } from './settings.ts';
import { mergeSettings, planFigures } from './settings.ts';

export type { Change, Line, Next, Select, Send, StoreHooks } from './changes/change.ts';
export type { Answer, HeaderField } from './http/answer.ts';
export type { Call, KeyVerdict, ListenerName, LogEntry, OperationId } from './http/call.ts';
export type { LimiterVerdict } from './limiter/verdict.ts';
export type { RequestHead, Served } from './service.ts';
export type { LimiterSettings, Plan, PlanName, Settings, SettingsChange } from './settings.ts';
export { PLANS } from './settings.ts';

/** The options of {@link startReference}. */
export interface ReferenceOptions {
  /** The clock that its rate limit and its dates use: `realClock`, or the `VirtualClock` of a run. */
  clock: Clock;
  /** The only API key that the reference accepts. */
  apiKey: string;
  /** Name of a rate plan, or its requests per minute and per day. Default: `free`. */
  plan?: PlanName | Plan;
  /** Port of the animal API. Default: any free port. */
  port?: number;
  /** Port of the message API. Default: any free port. */
  messagePort?: number;
  /** Faults and variants, applied in order, after `settings`. Default: none. */
  changes?: readonly Change[];
  /** Behavior that the interface leaves open. Default: that of `petspec serve`. */
  settings?: SettingsChange;
  /** Another interface to serve in place of the animal store, at the base address; it has no message address. */
  served?: Served;
}

/** A running reference. */
export interface Reference {
  /** Base URL of the animal API. It ends in `/v1` unless the settings change that. */
  baseUrl: string;
  /** Base URL of the message API: `POST {apiUrl}/messages`. */
  apiUrl: string;
  /** The API key that the reference accepts. */
  apiKey: string;
  /** Every request that arrived, in order. */
  log: readonly LogEntry[];
  /** Closes the ports and all connections, also stalled ones. */
  close(): Promise<void>;
}

/**
 * Starts the reference implementation of the animal store service on 127.0.0.1.
 * @throws UsageError with a message of one line, if an option is missing or not valid
 * @throws Error with a message of one line, if a port is not free
 * @example
 * const reference = await startReference({ clock: realClock, apiKey: 'a-key' });
 * await fetch(`${reference.baseUrl}/pets`, { headers: { authorization: 'Bearer a-key' } });
 * await reference.close();
 */
export async function startReference(options: ReferenceOptions): Promise<Reference> {
  refuseWrongOptions(options);
  const { port = 0, messagePort = 0, served } = options;
  const { service, settings } = serviceOf(options);
  const basePath = served?.basePath ?? settings.basePath;
  const animals = await listen('animals', { port, basePath }, service);
  if (served) {
    const { apiKey } = options;
    const baseUrl = animals.origin + basePath;
    return { baseUrl, apiUrl: baseUrl, apiKey, log: service.log, close: animals.close };
  }
  const messages = await listen('messages', { port: messagePort, basePath: '' }, service).catch(
    async (error: unknown) => {
      await animals.close();
      throw error;
    },
  );
  return {
    baseUrl: `${animals.origin}${basePath}`,
    apiUrl: messages.origin,
    apiKey: options.apiKey,
    log: service.log,
    close: async () => {
      await Promise.all([animals.close(), messages.close()]);
    },
  };
}

/** A reference for clients in the same process. */
export interface InProcessReference extends Reference {
  /** Opens a connection in memory to one of its origins; without it they connect over the network. */
  dial?: (origin: string) => Duplex;
}

/** Addresses of a reference in memory. Nothing listens there. */
const ORIGINS = { animals: 'http://127.0.0.1:1', messages: 'http://127.0.0.1:2' };

/**
 * Starts the reference for a client in the same process: in memory, which is faster than over sockets. It listens
 * nevertheless if a change takes over the sending, because what then happens depends on the socket.
 */
export async function startInProcess(
  options: Omit<ReferenceOptions, 'port' | 'messagePort'>,
): Promise<InProcessReference> {
  if (options.changes?.some(({ wire }) => wire)) return startReference(options);
  const { service, settings } = serviceOf(options);
  const animals = listenInMemory('animals', settings.basePath, service);
  const messages = listenInMemory('messages', '', service);
  return {
    baseUrl: `${ORIGINS.animals}${settings.basePath}`,
    apiUrl: ORIGINS.messages,
    apiKey: options.apiKey,
    log: service.log,
    dial: (origin) => (origin === ORIGINS.messages ? messages : animals).connect(),
    close: async () => {
      animals.close();
      messages.close();
    },
  };
}

function serviceOf({
  clock,
  apiKey,
  plan = 'free',
  settings: changed = {},
  changes = [],
  served,
}: ReferenceOptions) {
  const settings = mergeSettings([changed, ...changes.map((change) => change.settings ?? {})]);
  return {
    settings,
    service: createService({ clock, apiKey, plan: planFigures(plan), settings, changes, served }),
  };
}
