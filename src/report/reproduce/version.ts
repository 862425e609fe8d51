import { isLate } from '../../model/probe.ts';
import { commandOf, variable } from './command.ts';
import type { SentRequest } from './sent-request.ts';
import type { Run, Step } from './steps.ts';

/**
 * A step whose precondition names the version of what the run read before: the script reads it, too, as what it creates has
 * another one. Other steps stay as they are.
 */
export function withVersion(step: Step, run: Run): { lines: readonly string[]; step: Step } {
  const { request } = step;
  const headers = run.probes.get(request.probe)?.headers ?? [];
  const [name, late] = headers.find(([, value]) => isLate(value) && value.late === 'validator') ?? [];
  const read = readBefore(run.requests.byId(request.id), run);
  if (!isLate(late) || late.late !== 'validator' || name === undefined || !read) return { lines: [], step };
  const command = commandOf({ ...read, url: request.url }, '-sSf -o /dev/null -D -', run.settings);
  const requestHeaders = request.requestHeaders.map(
    ([each, value]) =>
      [each, each.toLowerCase() === name.toLowerCase() ? variable('version') : value] as const,
  );
  return {
    lines: [`version=$(${command} | tr -d '\\r' | grep -i '^${late.header}:' | cut -d ' ' -f 2-)`],
    step: { ...step, request: { ...request, requestHeaders } },
  };
}

/** The last read of what a request is for, before it. */
function readBefore(request: SentRequest | undefined, { requests }: Run): SentRequest | undefined {
  if (!request) return undefined;
  return requests
    .all()
    .filter(
      ({ id, method, url, status }) =>
        id < request.id && method === 'GET' && url === request.url && status === 200,
    )
    .at(-1);
}
