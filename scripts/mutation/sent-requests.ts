import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { loadContract } from '../../src/contract/load.ts';
import { VirtualClock } from '../../src/model/clock.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { packageRoot } from '../../src/model/package-root.ts';
import { conductBundled, fixedNumbers } from '../../src/run/bundled.ts';
import { conduct, type RunningTarget } from '../../src/run/conduct.ts';
import { interfaceOf } from '../../src/run/contract-of.ts';
import { DEFAULT_OPTIONS, ofBundled, type RunOptions } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { startDocumentServer } from '../../src/server/document-server.ts';
import { allChecks } from '../../suites/index.ts';
import { OWN_DOCUMENTS } from '../../test/document-server/own-documents.ts';

/** A contract and options, whose run against a server of the contract sends requests. */
interface Sending {
  id: string;
  /** The path of the document, seen from the package; absent for the animal store. */
  document?: string;
  options: Partial<RunOptions>;
}

/** What a run sent before anything was changed. */
export interface SentRecording {
  id: string;
  sent: string;
}

const DOCUMENTS = [...OWN_DOCUMENTS, join(packageRoot, 'spec', 'openapi.yaml')].map((path) =>
  relative(packageRoot, path),
);

/** Ways to run a document: as it is, with what writes and other draws, and with further requests. */
const WAYS: Readonly<Record<string, Partial<RunOptions>>> = {
  reads: {},
  writes: { write: true, seed: 2 },
  further: { write: true, budget: 200 },
};

/** The animal store on its plans. */
const STORE: readonly Sending[] = [
  { id: 'the animal store on Free', options: { plan: 'free' } },
  { id: 'the animal store on Pro', options: { plan: 'pro', frugal: true } },
  { id: 'the animal store without its limit', options: { exhaust: 'none' } },
];

/** Thirty contracts with options. A change of what derives and writes requests is noticed where it sends something else for one of them. */
export const SENDINGS: readonly Sending[] = [
  ...STORE,
  ...DOCUMENTS.flatMap((document) =>
    Object.entries(WAYS).map(([way, options]) => ({ id: `${document}, ${way}`, document, options })),
  ),
];

const START = Date.UTC(2026, 10, 21, 12, 0, 15);
const KEY = 'a-key-of-a-document-4711';

/** A digest of all requests that a run sends, in their order. @param id of one of `SENDINGS` */
export async function digestOfSent(id: string): Promise<string> {
  const sending = SENDINGS.find((each) => each.id === id);
  if (!sending) throw new Error(`there is no ${id}`);
  const exchanges = sending.document === undefined ? await sentToStore(sending) : await sentTo(sending);
  return createHash('sha256').update(exchanges.map(textOf).join('\n')).digest('hex');
}

async function sentToStore({ options }: Sending): Promise<readonly Exchange[]> {
  const contract = loadContract();
  const given = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, seed: 1, ...options });
  const plan = makePlan(contract, allChecks(contract), given);
  return (await conductBundled(contract, plan, given, {})).exchanges;
}

async function sentTo({ document = '', options: stated }: Sending): Promise<readonly Exchange[]> {
  const { contract, checks } = await interfaceOf({ interface: join(packageRoot, document) });
  const options: RunOptions = { ...DEFAULT_OPTIONS, exhaust: 'none', seed: 1, ...stated };
  const clock = new VirtualClock(START);
  const server = await startDocumentServer(contract, { clock, apiKey: KEY });
  const { baseUrl } = server;
  const target: RunningTarget = { baseUrl, apiUrl: baseUrl, servers: {}, apiKey: KEY };
  try {
    const plan = makePlan(contract, checks, options);
    return (await conduct(contract, plan, options, target, { clock, random: fixedNumbers() })).exchanges;
  } finally {
    await server.close();
  }
}

/** A request without its host, whose port differs from run to run. */
function textOf({ method, url, requestHeaders = [], requestBody = '' }: Exchange): string {
  const { pathname, search } = new URL(url);
  const headers = requestHeaders.filter(([name]) => name.toLowerCase() !== 'host');
  return JSON.stringify([method, pathname + search, headers, requestBody]);
}
