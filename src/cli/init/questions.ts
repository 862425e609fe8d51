import { createInterface } from 'node:readline';
import { nameProblem, newTarget, settingProblem } from '../../config/new-targets.ts';
import type { NewTarget } from '../../config/render-config.ts';
import { CI_SERVICES, type CiService, isService } from './ci-services.ts';

/** What `petspec init` is to write down. */
export interface Answers {
  targets: NewTarget[];
  ci?: CiService;
}

/** The user left before the last question. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/** Puts a question until there is nothing wrong with its answer. */
type Ask = (question: string, problem?: (answer: string) => string | undefined) => Promise<string>;

/**
 * Asks for targets, and for the CI service. What cannot be is said, and asked for again.
 * @param ci the service, where it is stated already
 * @throws NoAnswer where the input ends, or Ctrl-C is pressed
 */
export async function askForTargets(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  ci?: CiService,
): Promise<Answers> {
  const terminal = createInterface({ input, output });
  // Lines that come before they are asked for wait here; a question of readline's own would lose them.
  const lines = terminal[Symbol.asyncIterator]();
  terminal.once('SIGINT', () => terminal.close());
  let isClosed = false;
  terminal.once('close', () => {
    isClosed = true;
  });
  const ask: Ask = async (question, problem = () => undefined) => {
    for (;;) {
      // An input that has ended may have answered already; readline prompts no more then.
      terminal.setPrompt(`${question} `);
      if (isClosed) output.write(`${question} `);
      else terminal.prompt();
      const { value, done } = await lines.next();
      if (done) throw new NoAnswer();
      const answer = value.trim();
      const wrong = problem(answer);
      if (wrong === undefined) return answer;
      output.write(`  ${wrong}\n`);
    }
  };
  try {
    const targets: NewTarget[] = [];
    do targets.push(await askForTarget(ask, targets));
    while (/^y/i.test(await ask('Another target? (y/N)')));
    const service = ci ?? (await ask(`CI service? (${CI_SERVICES.join(', ')}; empty: none)`, serviceProblem));
    return { targets, ...(isService(service) ? { ci: service } : {}) };
  } finally {
    terminal.close();
  }
}

async function askForTarget(ask: Ask, others: readonly NewTarget[]): Promise<NewTarget> {
  const name = await ask('Name of the target, such as staging:', (answer) => nameProblem(answer, others));
  const baseUrl = await ask('Its base address, which ends with /v1:', (answer) =>
    settingProblem({ baseUrl: answer }),
  );
  const apiUrl = await ask('Where POST /messages lives (empty: nowhere):', (answer) =>
    answer === '' ? undefined : settingProblem({ apiUrl: answer }),
  );
  const plan = await ask('Plan of its key (empty: told by its headers):', (answer) =>
    answer === '' ? undefined : settingProblem({ plan: answer }),
  );
  return newTarget(name, baseUrl, apiUrl, plan);
}

function serviceProblem(answer: string): string | undefined {
  return answer === '' || isService(answer) ? undefined : `one of ${CI_SERVICES.join(', ')}, or nothing`;
}
