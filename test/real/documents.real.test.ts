import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { realClock } from '../../src/model/clock.ts';
import { type Exchange, headerValue } from '../../src/model/exchange.ts';
import { interfaceOf } from '../../src/run/contract-of.ts';
import { startDocumentServer } from '../../src/server/index.ts';
import { OWN_DOCUMENTS } from '../document-server/own-documents.ts';
import { runThroughProxy } from '../document-server/served-run.ts';
import { ended, installed, startedIn } from './servers.ts';

// The server of each document of the repository, for a validating proxy of others: npm run nightly. A mistake that petspec's server and
// its judge share shows here.

const KEY = 'a-key-of-a-document-4711';

/** What Prism says of a request or its response, in a header of the response. */
interface PrismViolation {
  location: readonly string[];
  message: string;
}

/** A document as Prism reads it: 3.2 has streams, which it does not judge, and nothing else that matters here. */
function documentFor(folder: string, file: string): string {
  const own = join(folder, basename(file));
  writeFileSync(own, readFileSync(file, 'utf8').replace(/^openapi: 3\.2\.0$/m, 'openapi: 3.1.0'));
  return own;
}

/** What Prism says of the responses of a document's server in a run of petspec through it, and how many exchanges passed it. */
async function heldByPrism(folder: string, file: string, faults: readonly string[] = []) {
  const { contract } = await interfaceOf({ interface: file });
  const upstream = await startDocumentServer(contract, { clock: realClock, apiKey: KEY, faults });
  const prism = ['node_modules/.bin/prism', 'proxy', '-h', '127.0.0.1', '-p', '0'];
  const own = documentFor(folder, file);
  const { server, baseUrl } = await startedIn(folder, [process.execPath, ...prism, own, upstream.baseUrl]);
  try {
    const options = { clock: realClock, write: true, apiKey: KEY };
    const { exchanges } = await runThroughProxy(file, baseUrl, options);
    return { count: exchanges.length, held: exchanges.flatMap(violationsOf) };
  } finally {
    await ended(server);
    await upstream.close();
  }
}

/**
 * What Prism says of a response. It wants each status of a response to be in the document. OpenAPI does not: a document lists the
 * success and the errors that are known. So a refusal is no mistake to it; petspec judges whether it was due.
 */
function violationsOf({ operation, response }: Exchange): string[] {
  const { status = 0, headers = [] } = response ?? {};
  const violations: PrismViolation[] = JSON.parse(headerValue(headers, 'sl-violations') ?? '[]');
  const isRefusal = status >= 400 && status < 500;
  return violations
    .filter(({ location }) => location[0] === 'response')
    .filter(({ message }) => !(isRefusal && message.startsWith('Unable to match the returned status code')))
    .map(({ location, message }) => `${operation} ${status} ${location.join('.')}: ${message}`);
}

test('Prism holds nothing against what petspec serves by the documents of the repository', async () => {
  const folder = installed('@stoplight/prism-cli@5.14.2');
  for (const file of OWN_DOCUMENTS) {
    const { count, held } = await heldByPrism(folder, file);
    expect([file, held]).toEqual([file, []]);
    expect(count).toBeGreaterThan(5);
  }
  const [petstore = ''] = OWN_DOCUMENTS.filter((each) => each.endsWith('petstore.yaml'));
  for (const fault of ['missing-field', 'wrong-type'])
    expect((await heldByPrism(folder, petstore, [fault])).held.length, fault).toBeGreaterThan(0);
}, 1_800_000);
