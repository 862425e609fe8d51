import { loadContract } from '../contract/load.ts';
import { isObject } from '../contract/schema.ts';
import { judgeResponse } from '../judge/exchange/response.ts';
import type { Contract, Operation } from '../model/contract.ts';
import type { HeaderLine, Received } from '../model/exchange.ts';
import type { Deviation } from '../model/finding.ts';
import { stringifyJson } from '../model/json.ts';
import { renderFinding } from '../report/text/terminal.ts';
import { exchangeHider } from '../secrets/hide-exchange.ts';
import { publicIn } from '../secrets/hideable.ts';
import { keySecrets } from '../secrets/keys/own-secrets.ts';
import { decode } from '../session/http/read-response.ts';

const KINDS = 'a fetch Response, a response of undici, or { status, headers, body }';

/**
 * Reads a response from a vendor's own test. A fetch Response stays readable, because petspec reads a clone. The body
 * of an undici response is consumed. The body of a plain object is text, bytes or a JSON value, already decoded.
 * @throws TypeError if the value is not a response, or its body was read before
 */
async function readResponse(response: unknown): Promise<Received> {
  if (typeof response !== 'object' || response === null)
    throw new TypeError(`not a response; expected ${KINDS}`);
  const { status, statusCode, headers, body } = response as Record<string, unknown>;
  const code = status ?? statusCode;
  if (typeof code !== 'number') throw new TypeError(`the response has no status; expected ${KINDS}`);
  const lines = headerLines(headers);
  // fetch has decoded the body already, but keeps the header.
  const decoded = lines.filter(([name]) => name.toLowerCase() !== 'content-encoding');
  if (isFetched(response)) {
    refuseUsed(response.bodyUsed, 'pass response.clone()');
    return decode(code, decoded, Buffer.from(await response.clone().arrayBuffer()));
  }
  if (isReadable(body)) {
    refuseUsed(body.bodyUsed, 'pass { status, headers, body } with the text that you read');
    return decode(code, lines, Buffer.from(await body.arrayBuffer()));
  }
  if (!('body' in response) || isStream(body))
    throw new TypeError(`the response has no readable body; expected ${KINDS}`);
  return decode(code, decoded, bytesOf(body));
}

interface ReadableResponse {
  bodyUsed?: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Tests for its methods, because a test environment may have its own Response class. */
function isFetched(response: object): response is ReadableResponse & { clone(): ReadableResponse } {
  return isReadable(response) && 'clone' in response && typeof response.clone === 'function';
}

function isReadable(value: unknown): value is ReadableResponse {
  return isObject(value) && typeof value.arrayBuffer === 'function';
}

function isStream(value: unknown): boolean {
  return isObject(value) && ('pipe' in value || 'getReader' in value);
}

function refuseUsed(bodyUsed: boolean | undefined, advice: string): void {
  if (bodyUsed) throw new TypeError(`the body of the response was already read; ${advice}`);
}

/** Header lines of a Headers, a Map, pairs, an object, or undici's flat list of raw headers. */
function headerLines(headers: unknown): HeaderLine[] {
  if (Array.isArray(headers) && headers.every((header) => !Array.isArray(header)))
    return headers.flatMap((name, index) =>
      index % 2 === 0 ? [[String(name), String(headers[index + 1])] as const] : [],
    );
  const isIterable = typeof headers === 'object' && headers !== null && Symbol.iterator in headers;
  const entries = isIterable ? [...(headers as Iterable<[string, unknown]>)] : Object.entries(headers ?? {});
  return entries.flatMap(([name, value]) =>
    [value ?? []].flat().map((text): HeaderLine => [String(name), String(text)]),
  );
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return Buffer.from(body as Uint8Array);
  return Buffer.from(stringifyJson(body));
}

let loaded: Contract | undefined;

/**
 * Matchers for your own tests. Importing `petspec/vitest` adds them to the `expect` of the run; pass them to
 * `expect.extend` to add them to another `expect`.
 * @example
 * expect.extend(matchers);
 */
export const matchers = {
  /**
   * Checks a response against an operation of the interface: its status, headers, media type and the shape of its body.
   * @param response a fetch Response, a response of undici, or `{ status, headers, body }`
   * @param operation operation id, such as `listPets`
   * @throws TypeError if the operation is unknown or the response cannot be read
   */
  async toConformTo(response: unknown, operation: string): Promise<{ pass: boolean; message: () => string }> {
    loaded ??= loadContract();
    const contract = loaded;
    const documented = operationNamed(contract, operation);
    const received = await readResponse(response);
    const deviations = judgeResponse(documented, received);
    const what = `the response ${deviations.length === 0 ? 'conforms' : 'does not conform'} to ${documented.id} (${documented.method} ${documented.path})`;
    // The response is judged as received, and shown without the key.
    const shown = judgeResponse(documented, withoutKey(received, contract));
    const findings = shown.map((deviation) => renderFinding(asResult(contract, deviation)));
    return { pass: deviations.length === 0, message: () => [what, ...findings].join('\n\n') };
  },
};

function operationNamed({ operations }: Contract, id: string): Operation {
  const operation = operations.find((candidate) => candidate.id === id);
  if (operation) return operation;
  const ids = operations.map((candidate) => candidate.id).join(', ');
  throw new TypeError(`unknown operation '${id}'; expected one of ${ids}`);
}

/** Redacts the key, which a service may echo. */
function withoutKey(response: Received, contract: Contract): Received {
  const key = process.env.PETSPEC_API_KEY?.trim() ?? '';
  const hide = exchangeHider(key, keySecrets(key, contract), publicIn(contract));
  return hide({ url: '', requestHeaders: [], response }).response;
}

function asResult({ requirements }: Contract, { requirement: id, ...deviation }: Deviation) {
  const requirement = requirements.find((candidate) => candidate.id === id);
  if (!requirement) throw new Error(`unknown requirement '${id}'`);
  return { ...requirement, ...deviation, status: 'violated' as const, exercised: true, evidence: [] };
}
