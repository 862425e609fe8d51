import { type Semantic, semanticId } from '../../contract/implied-requirements.ts';
import { type Resource, resourcesOf } from '../../contract/resources.ts';
import { createdBy } from '../../contract/things/creation.ts';
import { type CreatedThings, countThings } from '../../contract/things/things.ts';
import type { Contract } from '../../model/contract.ts';
import { isSuccess } from '../../model/exchange.ts';
import { percentEncoded } from '../../model/http/percent-encoding.ts';
import { parseJson, sameJson } from '../../model/json.ts';
import { groupedBy, type Looking } from '../../model/large/lookups.ts';
import { counted } from '../../model/report/report.ts';
import { CREATIONS, WRITES } from '../../requests/write-names.ts';
import { type Check, observe } from '../evidence/check.ts';
import { type Judged, levelsOf } from '../evidence/judged.ts';
import { isAbsent } from '../exchange/status.ts';
import { isChanged, isClaimed } from './compare.ts';
import { seenIn } from './fields.ts';
import { otherKeyChecks } from './other-key.ts';
import { isReplaced } from './replaced.ts';
import {
  compared,
  differs,
  type ExchangeFinder,
  readsOf,
  sentIn,
  type WrittenResult,
  writtenFinding,
} from './shown.ts';

/** The largest number of records that an observation names. */
const MAX_NAMED = 10;

/** What the run created and did not remove, and what it may have created. */
export function leftOver(contract: Contract): Check {
  return observe(
    'open.left-over',
    ({ isWriting }) => isWriting === true,
    (_, { judged }) => {
      const things = countThings(contract);
      const inOrder = judged.toSorted((left, right) => left.exchange.id - right.exchange.id);
      for (const { exchange } of inOrder) things.add(exchange);
      return describe(things.result(), contract.noun);
    },
  );
}

function describe({ created, left, unaddressed, uncertain }: CreatedThings, noun: string): string {
  const still = [
    ...(left.length === 0 ? [] : [listedPaths(left)]),
    ...(unaddressed.length === 0
      ? []
      : [`${unaddressed.length} without a known address (sent to ${listedPaths(unaddressed)})`]),
  ];
  const nothingLeft = created === 0 ? 'nothing was created' : 'everything that was created was removed';
  const words = still.length === 0 ? nothingLeft : `created and still there: ${still.join('; ')}`;
  if (uncertain.length === 0) return words;
  return `${words}; ${counted(uncertain.length, noun)} may have been created, too (${listedPaths(uncertain)})`;
}

function listedPaths(paths: readonly string[]): string {
  const different = [...new Set(paths)];
  const rest = different.length > MAX_NAMED ? ` and ${different.length - MAX_NAMED} more` : '';
  return `${different.slice(0, MAX_NAMED).join(', ')}${rest}`;
}

/**
 * Whether reads show what was created, replaced and removed. If a sentence of requirements.yaml says so, every field counts; otherwise
 * only changes that nobody makes on purpose.
 */
export function semanticChecks(contract: Contract): Check[] {
  const checks = resourcesOf(contract).flatMap((resource) =>
    (Object.keys(EXAMINE) as Semantic[]).flatMap((semantic): Check[] => {
      const id = semanticId(resource, semantic);
      return id === undefined ? [] : [checkOf(id, resource, semantic)];
    }),
  );
  const once = [
    ...groupedBy([...checks, ...otherKeyChecks(contract)], ({ requirement }) => requirement).values(),
  ].flatMap(([first]) => first ?? []);
  return resourcesOf(contract).length === 0 ? [] : [...once, leftOver(contract)];
}

const EXAMINE: Readonly<
  Record<Semantic, (sent: ExchangeFinder, resource: Resource, isStrict: boolean) => WrittenResult>
> = {
  id: differentIds,
  created: canBeRead,
  replaced: isReplaced,
  removed: isGone,
};

/** The requirements that have to hold before the others can be judged. */
const BEFORE: Readonly<Record<Semantic, readonly Semantic[]>> = {
  id: [],
  created: ['id'],
  replaced: ['id', 'created'],
  removed: ['id', 'created'],
};

function checkOf(requirement: string, resource: Resource, semantic: Semantic): Check {
  const { create, read, replace, remove } = resource;
  const operations = new Set([create, read, remove, ...replace].flatMap((operation) => operation?.id ?? []));
  const looking: Looking = {
    requirement,
    operations,
    probes: ({ operation, isWriting, validity }) =>
      isWriting === true && validity !== 'invalid' && operations.has(operation),
  };
  return {
    phase: 'functional',
    ...looking,
    needs: [],
    judge(evidence) {
      const level = levelsOf(evidence.contract).get(requirement);
      const sent = sentIn(evidence.judged);
      // A record that is stored with other values, or shares its id, shows nothing more.
      const earlier = BEFORE[semantic].map((needed) => EXAMINE[needed](sent, resource, false));
      const isShown = earlier.some((result) => result && 'wrong' in result);
      const result = isShown ? undefined : EXAMINE[semantic](sent, resource, level === 'must');
      return writtenFinding(evidence, looking, result);
    },
  };
}

/** The id of the created record; undefined if the request created none. */
function idOf(creation: Judged | undefined, resource: Resource): string | undefined {
  return creation && createdBy(resource, creation.exchange, creation.exchange.response)?.id;
}

/** Whether the id of a created record is certain. */
function isIdCertain({ exchange }: Judged, resource: Resource): boolean {
  return createdBy(resource, exchange, exchange.response)?.isSure === true;
}

function differentIds(sent: ExchangeFinder, resource: Resource): WrittenResult {
  const [first, second] = [sent(resource.create, WRITES.first), sent(resource.create, WRITES.second)];
  const [id, secondId] = [idOf(first, resource), idOf(second, resource)];
  if (!first || !second || id === undefined || secondId === undefined) return undefined;
  if (secondId !== id) return { held: [first, second] };
  // The id may be the value of another field.
  if (!isIdCertain(first, resource) || !isIdCertain(second, resource)) return undefined;
  const wrong = {
    reason: 'two creations got one id',
    expected: 'an id of its own',
    received: `id ${id} again`,
  };
  return { wrong, by: [first, second] };
}

function canBeRead(sent: ExchangeFinder, resource: Resource, isStrict: boolean): WrittenResult {
  const held: Judged[] = [];
  for (const [creating, reading] of CREATIONS) {
    const [creation, read] = [sent(resource.create, creating), sent(resource.read, reading)];
    if (!creation || !read?.exchange.response || !isReadOf(read, idOf(creation, resource))) continue;
    const { status } = read.exchange.response;
    // The read used an id that is a finding already.
    if (isAbsent(status) && isIdWrong(creation, resource)) continue;
    const isKnown = isIdCertain(creation, resource) || isAnyRead(sent, resource);
    if (isAbsent(status) && !isKnown) continue;
    if (isAbsent(status)) {
      const wrong = {
        reason: 'what was created is not found',
        expected: 'what was created',
        received: `status ${status}`,
      };
      return { wrong, by: [creation, read] };
    }
    const written = isSuccess(read.exchange) ? seenIn(creation.exchange, read.exchange) : undefined;
    if (!written) continue;
    const changed = compared(resource, creation, read, written).find(
      (name) => isChanged(written, name) && (isStrict || isClaimed(written, name)),
    );
    if (changed !== undefined) return { wrong: differs(changed, written), by: [creation, read] };
    held.push(read);
  }
  return held.length > 0 ? { held } : undefined;
}

/** Whether the id that a creation shows is not as the document says. */
function isIdWrong({ deviations }: Judged, { pointers }: Resource): boolean {
  return deviations.some(({ pointer }) => pointer !== undefined && pointers.includes(pointer));
}

function isAnyRead(sent: ExchangeFinder, { read }: Resource): boolean {
  return CREATIONS.map(([, reading]) => sent(read, reading)).some(
    (result) => result && isSuccess(result.exchange),
  );
}

function isGone(sent: ExchangeFinder, resource: Resource, isStrict: boolean): WrittenResult {
  const [removal, after] = [sent(resource.remove, WRITES.removal), sent(resource.read, WRITES.removed)];
  const status = after?.exchange.response?.status;
  const isDone = removal && isSuccess(removal.exchange) && removal.exchange.response?.status !== 202;
  if (!isDone || !after || status === undefined) return undefined;
  if (isAbsent(status)) return { held: [removal, after] };
  const before = lastRead(sent, resource);
  const [old, now] = [before, after].map((read) => parseJson(read?.exchange.response?.body ?? ''));
  // A service may show a removed record, marked as removed.
  const isUnchanged = old?.ok === true && now?.ok === true && sameJson(old.value, now.value);
  if (!isSuccess(after.exchange) || !(isStrict || isUnchanged)) return undefined;
  const wrong = {
    reason: 'what was removed can still be read',
    expected: 'status 404 or 410',
    received: `status ${status}`,
  };
  return { wrong, by: [removal, after] };
}

function lastRead(sent: ExchangeFinder, resource: Resource): Judged | undefined {
  const otherReads = CREATIONS.slice(1).map(([, reading]) => reading);
  return readsOf(sent, resource).findLast(({ probe }) =>
    otherReads.every((name) => !probe.id.endsWith(`:${name}`)),
  );
}

function isReadOf({ exchange }: Judged, id: string | undefined): boolean {
  return id !== undefined && new URL(exchange.url).pathname.endsWith(`/${percentEncoded(id)}`);
}
