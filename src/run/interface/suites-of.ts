import { readdirSync, realpathSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Check } from '../../judge/evidence/check.ts';
import { ContractError } from '../../model/contract.ts';
import { notTested } from '../../model/finding.ts';
import { ownModule } from '../../model/package-root.ts';

/** The names that a file of checks may end with. Node 20 runs no TypeScript, and newer ones strip its types. */
const ENDINGS = ['.js', '.mjs', '.ts', '.mts'];

const BUNDLED = ownModule('suites/index');

/** The checks of the bundled interface. Code that also judges other interfaces does not import them by name. */
export function bundledSuites(): Promise<readonly Check[]> {
  return checksIn(BUNDLED.href, 'suites/');
}

/** Whether an interface is a folder with checks beside its OpenAPI document. */
function hasSuites(path: string): boolean {
  return isFolder(path) && isFolder(join(path, 'suites'));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * The checks in the folder `suites/` beside an OpenAPI document: those that its files export as `checks`. This executes code of
 * whoever wrote them.
 * @throws ContractError with one line for a file that cannot be imported or exports something else
 */
export async function suitesBeside(folder: string): Promise<readonly Check[]> {
  const suites = join(folder, 'suites');
  if (!hasSuites(folder)) return [];
  const files = readdirSync(suites, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && ENDINGS.includes(extname(entry.name)))
    .filter(({ name }) => !/\.(?:test|spec|d)\.\w+$/.test(name))
    .map(({ name }) => join(suites, name))
    .sort();
  if (files.length > 0) resolvePetspec();
  const checks: Check[] = [];
  for (const file of files) checks.push(...(await checksIn(pathToFileURL(realpathSync(file)).href, file)));
  const twice = checks.find(({ requirement }, index) =>
    checks.slice(0, index).some((earlier) => earlier.requirement === requirement),
  );
  if (twice) throw new ContractError(`${suites}: two checks judge ${twice.requirement}; leave one out`);
  return checks.map((check) => withoutThrowing(check, suites));
}

/**
 * A check that throws judges nothing: that is a mistake of whoever wrote it, not of the service. Which probes it looks at has
 * to be known before a run.
 */
function withoutThrowing(check: Check, folder: string): Check {
  return {
    ...check,
    probes(probe) {
      try {
        return check.probes(probe);
      } catch (error) {
        throw new ContractError(
          `${folder}: the check of ${check.requirement} threw ${wordsOf(error)} when it chose its probes`,
        );
      }
    },
    judge(evidence) {
      try {
        return check.judge(evidence);
      } catch (error) {
        return notTested('blocked', `its check in ${folder} threw ${wordsOf(error)}`);
      }
    },
  };
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 200);
}

let isResolved = false;

/** Makes `petspec/suite` this petspec, wherever the files are: npx installs petspec outside of their folders. */
function resolvePetspec(): void {
  if (isResolved) return;
  isResolved = true;
  const hook = `export const resolve = (name, context, next) =>
    name === 'petspec/suite' ? { url: ${JSON.stringify(ownModule('src/suite').href)}, shortCircuit: true } : next(name, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

async function checksIn(url: string, file: string): Promise<readonly Check[]> {
  let checks: unknown;
  try {
    ({ checks } = await import(/* @vite-ignore */ url));
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new ContractError(`${file}: cannot be imported: ${why}`);
  }
  if (!Array.isArray(checks))
    throw new ContractError(`${file}: exports no list named checks, such as export const checks = [...]`);
  const wrong = checks.findIndex((check) => !isCheck(check));
  if (wrong >= 0)
    throw new ContractError(
      `${file}: entry ${wrong + 1} of checks is not a check; make it with eachExchange or observe of petspec/suite`,
    );
  return checks;
}

function isCheck(value: unknown): value is Check {
  if (typeof value !== 'object' || value === null) return false;
  const { requirement, phase, probes, needs, judge, add } = value as Record<keyof Check, unknown>;
  return (
    typeof requirement === 'string' &&
    typeof phase === 'string' &&
    typeof probes === 'function' &&
    Array.isArray(needs) &&
    typeof judge === 'function' &&
    (add === undefined || typeof add === 'function')
  );
}
