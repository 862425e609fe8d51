import type { Contract, Operation } from '../../model/contract.ts';
import { percentEncoded } from '../../model/http/percent-encoding.ts';
import { isLate, lateValuesIn, type Probe } from '../../model/probe.ts';
import type { CommandSettings } from '../curl.ts';
import { variable } from './command.ts';
import type { Requests } from './requests.ts';
import type { SentRequest } from './sent-request.ts';
import { type UniqueTexts, uniqueTexts } from './unique-texts.ts';

/** What a script is made from. */
export interface Run {
  contract: Pick<Contract, 'operations' | 'ratePlans'>;
  probes: Pick<ReadonlyMap<string, Probe>, 'get'>;
  requests: Requests;
  settings: CommandSettings;
  /** The rate plan of the run. */
  plan: string | null;
  /** What drew how its requests vary. */
  seed?: number;
}

/** One request of a script. */
export interface Step {
  request: SentRequest;
  /** The variable that gets a field of its response. */
  gives?: { name: string; field: string };
}

/** The requests of a script, in order, and their unique texts. */
export interface Steps {
  steps: readonly Step[];
  own: UniqueTexts;
}

/**
 * The steps that send these requests again. A record that the run created is created again first. A record that existed
 * before is requested by its value.
 * @param wanted a value that later steps look for; the step that returns it stores it in `id`
 */
export function stepsOf(requests: readonly SentRequest[], run: Run, wanted?: string): Steps {
  const operations = new Map(run.contract.operations.map((each) => [each.id, each]));
  const own = uniqueTexts(run.probes, (id) => operations.get(id)?.body?.schema);
  const steps: Step[] = [];
  let taken = wanted === undefined ? 0 : 1;
  const nextName = () => (++taken === 1 ? 'id' : `id${taken}`);

  function stepFor(request: SentRequest): Step {
    const known = steps.find((each) => each.request.id === request.id);
    if (known) return known;
    const step: Step = { request: own.replaced(request) };
    const given = wanted !== undefined && isCreation(request, run) && fieldWith(request, wanted);
    if (given) step.gives = { name: 'id', field: given };
    steps.push(step);
    return step;
  }

  for (const request of requests) {
    const source = sourceOf(request, run);
    if (source === undefined) {
      stepFor(request);
      continue;
    }
    if (!isCreation(source.request, run) && !requests.some(({ id }) => id === source.request.id)) {
      stepFor(withPath(request, operations.get(request.operation), percentEncoded(source.value)));
      continue;
    }
    const step = stepFor(source.request);
    const name = source.value === wanted ? 'id' : nextName();
    step.gives ??= { name, field: fieldOf(source.pointer) };
    stepFor(withPath(request, operations.get(request.operation), variable(step.gives.name)));
  }
  return { steps, own };
}

/** Whether a request creates a record at the base address. */
export function isCreation({ probe }: SentRequest, { probes }: Run): boolean {
  return probes.get(probe)?.creates ?? false;
}

/** Whether a script sends ids that the run created, and may have removed since. */
export function namesRemoved(request: SentRequest, run: Run): boolean {
  const probe = run.probes.get(request.probe);
  const isOwn = Object.values(probe?.path ?? {}).some(
    (each) => isLate(each) && each.late === 'response' && each.isOwn === true,
  );
  if (isOwn && sourceOf(request, run) === undefined) return true;
  return lateValuesIn(probe?.body).some(({ late }) => late === 'created');
}

/** The last segment of a pointer. */
export function fieldOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

function fieldWith({ values }: SentRequest, wanted: string): string | undefined {
  const found = [...values].find(([, value]) => value === wanted);
  return found && fieldOf(found[0]);
}

/** Where the value in the path of a request comes from. Records that existed before are preferred. */
function sourceOf(
  { probe, url }: SentRequest,
  run: Run,
): { request: SentRequest; pointer: string; value: string } | undefined {
  const [late, ...others] = Object.values(run.probes.get(probe)?.path ?? {}).filter(isLate);
  // A part of something else needs both: the script names what the run did.
  if (late?.late !== 'response' || others.length > 0) return undefined;
  // A source that failed was sent again: the one whose value was used comes first.
  const isUsed = (value: string) => new URL(url).pathname.endsWith(`/${percentEncoded(value)}`);
  const known = late.sources.flatMap((source) => {
    const values = run.requests.all().flatMap((request) => {
      const value = request.probe === source.probe ? request.values.get(source.pointer) : undefined;
      return value === undefined ? [] : [{ request, pointer: source.pointer, value }];
    });
    return values.find(({ value }) => isUsed(value)) ?? values[0] ?? [];
  });
  return known.find(({ request }) => !isCreation(request, run)) ?? known[0];
}

/** The request with another value in its path. */
function withPath(request: SentRequest, operation: Operation | undefined, value: string): SentRequest {
  const [start, end] = (operation?.path ?? '').split(/\{[^}]*\}/);
  const place = start === undefined || end === undefined ? -1 : request.url.lastIndexOf(start);
  if (place < 0 || start === undefined) return request;
  const before = request.url.slice(0, place + start.length);
  const after = request.url.slice(before.length).replace(/^[^/?#]*/, '');
  return { ...request, url: `${before}${value}${after}` };
}
