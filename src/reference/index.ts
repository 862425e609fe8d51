import type { Clock } from '../model/clock.ts';
import type { Change } from './changes/change.ts';
import type { LogEntry } from './http/call.ts';
import { listen } from './http/listener.ts';
import { createService } from './service.ts';
import type { Plan, PlanName, SettingsChange } from './settings.ts';
import { mergeSettings, planFigures } from './settings.ts';

export type { Change, Line, Next, Select, Send, StoreHooks } from './changes/change.ts';
export type { Answer, Header } from './http/answer.ts';
export type { Call, KeyVerdict, ListenerName, LogEntry, OperationId } from './http/call.ts';
export type { Verdict } from './limiter/limiter.ts';
export type { LimiterSettings, Plan, PlanName, Settings, SettingsChange } from './settings.ts';
export { PLANS } from './settings.ts';

export interface ReferenceOptions {
  clock: Clock;
  apiKey: string;
  /** Default: `free`. */
  plan?: PlanName | Plan;
  /** Of the animal API; default: a free one. */
  port?: number;
  /** Of the message address; default: a free one. */
  messagePort?: number;
  /** Applied in order, over `settings`. */
  changes?: readonly Change[];
  settings?: SettingsChange;
}

export interface Reference {
  /** The base address of the animal API; ends in `/v1`, unless the settings say otherwise. */
  baseUrl: string;
  /** The message address: `POST {apiUrl}/messages`. */
  apiUrl: string;
  apiKey: string;
  /** Every request that arrived, in order. */
  log: readonly LogEntry[];
  /** Ends everything at once, stalled and idle connections included. */
  close(): Promise<void>;
}

/**
 * Starts the reference implementation of the animal store service (interface.md) on 127.0.0.1: strict where the
 * interface speaks, by `settings` where it is silent, and with `changes` wherever one wants it to differ.
 * @throws Error of one line where a port cannot be had or the plan makes no sense
 */
export async function startReference(options: ReferenceOptions): Promise<Reference> {
  const { clock, apiKey, plan = 'free', port = 0, messagePort = 0, changes = [] } = options;
  const settings = mergeSettings([options.settings ?? {}, ...changes.map((each) => each.settings ?? {})]);
  const service = createService({ clock, apiKey, plan: planFigures(plan), settings, changes });
  const animals = await listen('animals', { port, basePath: settings.basePath }, service);
  const messages = await listen('messages', { port: messagePort, basePath: '' }, service).catch(
    async (error: unknown) => {
      await animals.close();
      throw error;
    },
  );
  return {
    baseUrl: `${animals.origin}${settings.basePath}`,
    apiUrl: messages.origin,
    apiKey,
    log: service.log,
    close: async () => {
      await Promise.all([animals.close(), messages.close()]);
    },
  };
}
