import { functionClient, oneAfterAnother } from '../client/clients.ts';
import { clientRequirements, selectClientRequirements } from '../client/judge-client.ts';
import { runClient, type Service, statedScenario } from '../client/run-client.ts';
import { realClock, steady } from '../model/clock.ts';
import type { Contract } from '../model/contract.ts';
import { isViolation, type Report } from '../model/report/report.ts';
import { UsageError } from '../model/usage-error.ts';
import { visible } from '../model/visible.ts';
import { scenarios } from '../reference/scenarios/index.ts';
import { assembleClient } from '../report/assemble/assemble-client.ts';
import { renderFinding } from '../report/text/terminal.ts';
import { contractOf } from '../run/contract-of.ts';
import { refuseWrongSettings } from '../run/settings/settings.ts';
import { inSettings } from '../run/settings/stated-name.ts';
import { Bugs } from '../traffic/bugs.ts';
import type { ClientTraffic } from '../traffic/client-check.ts';

/** Which parts of a client are judged, and how. */
export interface ClientExpectation {
  /** Ids of scenarios, such as `plain`. Default: all of them, which take about a minute. */
  scenarios?: readonly string[];
  /** Requirement ids, globs, sections or operations to judge. Default: all. */
  only?: readonly string[];
  /** Count advisories as violations. Default: false. */
  strict?: boolean;
  /** The most that one scenario may take, in ms. Default: 120000. */
  timeout?: number;
}

/**
 * Judges a client in your own tests, as `petspec client` does: runs it against the reference, once for each scenario.
 * Calls at the same time run one after the other, because they share the environment.
 * @param use calls your client. It gets the addresses and a key, and finds them in PETSPEC_BASE_URL, PETSPEC_API_URL and
 *   PETSPEC_API_KEY as well
 * @example
 * await expectClient(({ baseUrl, apiKey }) => new MyClient(baseUrl, apiKey).sync()).toConform();
 */
export function expectClient(use: (service: Service) => unknown): {
  /**
   * @returns the report
   * @throws Error with the findings, and how the client failed, if it violates a requirement or sends nothing
   * @throws UsageError if an option is not valid
   */
  toConform(options?: ClientExpectation): Promise<Report>;
} {
  if (typeof use !== 'function')
    throw new UsageError('expectClient: not a function; expected one that calls your client');
  return {
    async toConform(expectation = {}) {
      const contract = contractOf({});
      const { only, strict, timeout, chosen } = await inSettings(async () => checked(contract, expectation));
      const clock = steady(realClock);
      const { startedAt, traffic } = await oneAfterAnother(async () => ({
        startedAt: clock.now(),
        traffic: await runClient(contract, functionClient(use), { scenarios: chosen, timeout, clock }),
      }));
      const record = { scenarios: chosen, only, strict, startedAt, finishedAt: clock.now() };
      const bugs = new Bugs();
      const report = assembleClient(
        contract,
        { ...record, command: 'the client', advice: ADVICE, isInterrupted: false },
        traffic,
        bugs,
      );
      if (bugs.first !== undefined) throw bugs.first;
      if (report.verdict === 'conformant') return report;
      const findings = report.requirements.filter((result) => isViolation(report, result)).map(renderFinding);
      throw new Error(
        [
          `the client is ${report.verdict}: ${visible(report.because)}`,
          ...findings,
          ...failuresIn(traffic),
        ].join('\n\n'),
      );
    },
  };
}

/** @throws UsageError if an option is not valid */
function checked(contract: Contract, expectation: ClientExpectation) {
  refuseWrongSettings(expectation, ['scenarios', 'only', 'strict', 'timeout']);
  const { scenarios: names, only = [], strict = false, timeout = 120_000 } = expectation;
  if (names !== undefined && !Array.isArray(names))
    throw new UsageError("'scenarios' is not valid; expected a list, such as ['plain']");
  if (names?.length === 0)
    throw new UsageError("'scenarios': the list is empty; leave it out to run all of them");
  const chosen = names?.map((id) => statedScenario("'scenarios'", id)) ?? scenarios;
  selectClientRequirements(clientRequirements(contract), only);
  return { only, strict, timeout, chosen };
}

const ADVICE = 'give it the addresses and the key, which are the argument of the function';

/** How the client failed, a line for each scenario: a crash explains missing requests. */
function failuresIn(traffic: ClientTraffic): string[] {
  const lines = traffic.scenarios
    .filter(({ end }) => end.kind !== 'ended')
    .map(({ scenario, end }) => `${scenario}: ${visible(end.words)}`);
  return lines.length === 0 ? [] : [lines.join('\n')];
}
