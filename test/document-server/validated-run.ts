import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { realClock } from '../../src/model/clock.ts';
import { type Exchange, headerValue } from '../../src/model/exchange.ts';
import { isJson } from '../../src/model/http/media-type.ts';
import { interfaceOf } from '../../src/run/contract-of.ts';
import { startDocumentServer } from '../../src/server/document-server.ts';
import { addressOf, ended, startServer } from '../real/processes.ts';
import { runThroughProxy } from './served-run.ts';

/** What Prism, a validating proxy of others, says of what petspec's server of a document sends. */
export interface ValidatedRun {
  /** How many exchanges passed the proxy. */
  count: number;
  /** What is wrong with a response, in words. */
  held: string[];
}

/** What Prism says of a request or its response, in a header of the response. */
interface PrismViolation {
  location: readonly string[];
  message: string;
}

const KEY = 'a-key-of-a-document-4711';

/**
 * Serves a document and runs petspec against the server through Prism. A mistake that the server and the judge of petspec share
 * shows here.
 * @param prism its program, in JavaScript
 */
export async function validatedRun(
  prism: string,
  file: string,
  faults: readonly string[] = [],
): Promise<ValidatedRun> {
  const { contract } = await interfaceOf({ interface: file });
  const folder = mkdtempSync(join(tmpdir(), 'petspec-prism-'));
  const upstream = await startDocumentServer(contract, { clock: realClock, apiKey: KEY, faults });
  const args = ['proxy', '-h', '127.0.0.1', '-p', '0', documentFor(folder, file), upstream.baseUrl];
  const server = startServer(folder, [process.execPath, prism, ...args]);
  try {
    const options = { clock: realClock, write: true, apiKey: KEY };
    const { exchanges } = await runThroughProxy(file, await addressOf(server), options);
    return { count: exchanges.length, held: exchanges.flatMap(violationsOf) };
  } finally {
    await ended(server);
    await upstream.close();
    rmSync(folder, { recursive: true });
  }
}

/** A document as Prism reads it: 3.2 has streams, which it does not judge, and nothing else that matters here. */
function documentFor(folder: string, file: string): string {
  const own = join(folder, basename(file));
  writeFileSync(own, readFileSync(file, 'utf8').replace(/^openapi: 3\.2\.0$/m, 'openapi: 3.1.0'));
  return own;
}

/**
 * What Prism says of a response. It wants each status of a response to be in the document. OpenAPI does not: a document lists the
 * success and the errors that are known. So a refusal is no mistake to it; petspec judges whether it was due. And it compares a body
 * that is not JSON with its schema as a text, which no object is.
 */
function violationsOf({ operation, response }: Exchange): string[] {
  const { status = 0, headers = [] } = response ?? {};
  const violations: PrismViolation[] = JSON.parse(headerValue(headers, 'sl-violations') ?? '[]');
  const isRefusal = status >= 400 && status < 500;
  const hasJson = isJson(headerValue(headers, 'content-type') ?? '');
  return violations
    .filter(({ location }) => location[0] === 'response' && (hasJson || location[1] !== 'body'))
    .filter(({ message }) => !(isRefusal && message.startsWith('Unable to match the returned status code')))
    .map(({ location, message }) => `${operation} ${status} ${location.join('.')}: ${message}`);
}
