import { loadContract } from '../contract/load.ts';
import { judgeResponse } from '../judge/exchange/response.ts';
import type { Contract, Operation } from '../model/contract.ts';
import type { Received } from '../model/exchange.ts';
import type { Deviation } from '../model/finding.ts';
import { renderFinding } from '../report/text/terminal.ts';
import { exchangeHider } from '../session/secrets/hide-exchange.ts';
import { publicIn } from '../session/secrets/hideable.ts';
import { keySecrets } from '../session/secrets/own-secrets.ts';
import { readResponse } from './received.ts';

let loaded: Contract | undefined;

/**
 * Matchers for your own tests. Importing `petspec/vitest` adds them to the `expect` of the run; pass them to
 * `expect.extend` to add them to another one.
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
    const asked = operationNamed(contract, operation);
    const received = await readResponse(response);
    const deviations = judgeResponse(asked, received);
    const what = `the response ${deviations.length === 0 ? 'conforms' : 'does not conform'} to ${asked.id} (${asked.method} ${asked.path})`;
    // What is judged is what was received; what is shown has no key.
    const shown = judgeResponse(asked, withoutKey(received, contract));
    const findings = shown.map((each) => renderFinding(asResult(contract, each)));
    return { pass: deviations.length === 0, message: () => [what, ...findings].join('\n\n') };
  },
};

function operationNamed({ operations }: Contract, id: string): Operation {
  const found = operations.find((each) => each.id === id);
  if (found) return found;
  const ids = operations.map((each) => each.id).join(', ');
  throw new TypeError(`unknown operation '${id}'; expected one of ${ids}`);
}

/** Redacts the key, which a service may echo. */
function withoutKey(response: Received, contract: Contract): Received {
  const key = process.env.PETSPEC_API_KEY?.trim() ?? '';
  const hide = exchangeHider(key, keySecrets(key, contract), publicIn(contract));
  return hide({ url: '', requestHeaders: [], response }).response;
}

function asResult({ requirements }: Contract, { requirement: id, ...deviation }: Deviation) {
  const requirement = requirements.find((each) => each.id === id);
  if (!requirement) throw new Error(`unknown requirement '${id}'`);
  return { ...requirement, ...deviation, status: 'violated' as const, exercised: true, evidence: [] };
}
