import { type Resource, resourcesOf } from '../../contract/resources.ts';
import { type Semantic, semanticId } from '../../contract/semantics.ts';
import type { Contract } from '../../model/contract.ts';
import { isSuccess } from '../../model/exchange.ts';
import { type Deviation, met, violated } from '../../model/finding.ts';
import { pointerOf, segmentsOf } from '../../model/json/json-pointer.ts';
import { parseJson, sameJson, stringifyJson } from '../../model/json.ts';
import { createdBy } from '../../probes/writes/creation.ts';
import { WRITES } from '../../probes/writes/derive-writes.ts';
import { idPlaces } from '../../probes/writes/own-ids.ts';
import { type Check, type Evidence, idsOf, unexercised } from '../check.ts';
import { isAbsent } from '../exchange/status.ts';
import type { Judged } from '../judged.ts';
import { common, type Fields, isSame, sentFields, shownFields } from './fields.ts';
import { leftOver } from './left-over.ts';

/** What several exchanges show: a deviation, that the requirement held, or nothing. */
type Shown =
  | { wrong: Omit<Deviation, 'requirement' | 'kind'>; by: Judged[] }
  | { held: Judged[] }
  | undefined;

/**
 * Whether what was created, replaced and removed is what is read afterwards. Where a sentence of requirements.yaml says so, each
 * field counts; otherwise only what nobody does on purpose.
 */
export function semanticChecks(contract: Contract): Check[] {
  const all = resourcesOf(contract).flatMap((resource) =>
    (Object.keys(EXAMINE) as Semantic[]).flatMap((semantic): Check[] => {
      const id = semanticId(resource, semantic);
      return id === undefined ? [] : [checkOf(id, resource, semantic)];
    }),
  );
  const once = all.filter(
    ({ requirement }, index) => all.findIndex((each) => each.requirement === requirement) === index,
  );
  return resourcesOf(contract).length === 0 ? [] : [...once, leftOver(contract)];
}

const EXAMINE: Readonly<Record<Semantic, (sent: Sent, resource: Resource, isStrict: boolean) => Shown>> = {
  id: ownIds,
  created: canBeRead,
  replaced: isReplaced,
  removed: isGone,
};

/** What has to hold before something can be said of the others. */
const BEFORE: Readonly<Record<Semantic, readonly Semantic[]>> = {
  id: [],
  created: ['id'],
  replaced: ['id', 'created'],
  removed: ['id', 'created'],
};

/** The exchange of a probe, by the operation and the last part of its id. */
type Sent = (operation: { id: string } | undefined, name: string) => Judged | undefined;

function checkOf(requirement: string, resource: Resource, semantic: Semantic): Check {
  const { create, read, replace, remove } = resource;
  const own = new Set([create, read, remove, ...replace].map((each) => each?.id));
  const probes: Check['probes'] = ({ operation, isWriting }) => isWriting === true && own.has(operation);
  return {
    requirement,
    phase: 'functional',
    probes,
    needs: [],
    judge(evidence) {
      const level = evidence.contract.requirements.find(({ id }) => id === requirement)?.level;
      const sent = sentIn(evidence);
      // What is stored with other values, or under one id for all, shows nothing more.
      const earlier = BEFORE[semantic].map((each) => EXAMINE[each](sent, resource, false));
      const isShown = earlier.some((each) => each && 'wrong' in each);
      const shown = isShown ? undefined : EXAMINE[semantic](sent, resource, level === 'must');
      if (!shown) return unexercised(evidence, probes);
      if ('held' in shown) return met(idsOf(shown.held));
      const last = shown.by.at(-1);
      const exchanges = idsOf(shown.by);
      const repetition = { kind: 'in-turn', exchanges, shows: 'answers' } as const;
      return violated({ kind: 'sequence', ...shown.wrong, repetition }, [
        ...(last ? idsOf([last]) : []),
        ...exchanges,
      ]);
    },
  };
}

function sentIn({ judged }: Evidence): Sent {
  const byProbe = new Map(judged.map((each) => [each.probe.id, each]));
  return (operation, name) => operation && byProbe.get(`${operation.id}:${name}`);
}

/** The id of what a creation created; undefined if it created nothing. */
function idOf(creation: Judged | undefined, resource: Resource): string | undefined {
  return creation && createdBy(resource, creation.exchange, creation.exchange.response)?.id;
}

/** Whether there is little doubt what the id of a creation is. */
function isSurelyOf({ exchange }: Judged, resource: Resource): boolean {
  return createdBy(resource, exchange, exchange.response)?.isSure === true;
}

function ownIds(sent: Sent, resource: Resource): Shown {
  const [first, second] = [sent(resource.create, WRITES.first), sent(resource.create, WRITES.second)];
  const [id, other] = [idOf(first, resource), idOf(second, resource)];
  if (!first || !second || id === undefined || other === undefined) return undefined;
  if (other !== id) return { held: [first, second] };
  // The id may be the value of another field.
  if (!isSurelyOf(first, resource) || !isSurelyOf(second, resource)) return undefined;
  const wrong = {
    reason: 'two creations got one id',
    expected: 'an id of its own',
    received: `id ${id} again`,
  };
  return { wrong, by: [first, second] };
}

function canBeRead(sent: Sent, resource: Resource, isStrict: boolean): Shown {
  const held: Judged[] = [];
  for (const [creating, reading] of [
    [WRITES.first, WRITES.created],
    [WRITES.second, WRITES.createdSecond],
  ] as const) {
    const [creation, read] = [sent(resource.create, creating), sent(resource.read, reading)];
    if (!creation || !read?.exchange.response || !isOf(read, idOf(creation, resource))) continue;
    const { status } = read.exchange.response;
    const isKnown = isSurelyOf(creation, resource) || isAnyRead(sent, resource);
    if (isAbsent(status) && !isKnown) continue;
    if (isAbsent(status)) {
      const wrong = {
        reason: 'what was created is not found',
        expected: 'what was created',
        received: `status ${status}`,
      };
      return { wrong, by: [creation, read] };
    }
    const [asked, answered, shown] = [
      sentFields(creation.exchange),
      shownFields(creation.exchange),
      shownFields(read.exchange),
    ];
    if (!isSuccess(read.exchange) || !asked || !shown) continue;
    const changed = compared(resource, creation, asked, shown).find((name) =>
      isStrict
        ? !isSame(asked[name], shown[name])
        : answered?.[name] !== undefined &&
          isSame(asked[name], answered[name]) &&
          !isSame(asked[name], shown[name]),
    );
    if (changed !== undefined)
      return { wrong: differs(changed, asked[changed], shown[changed]), by: [creation, read] };
    held.push(read);
  }
  return held.length > 0 ? { held } : undefined;
}

/** The fields that a body sent and a response shows, but for the id: the service may assign it. */
function compared(resource: Resource, { operation }: Judged, asked: Fields, shown: Fields): string[] {
  const ids = idPlaces(resource, operation).map((place) => segmentsOf(place).at(-1));
  return common(asked, shown).filter((name) => !ids.includes(name));
}

function isAnyRead(sent: Sent, { read }: Resource): boolean {
  const reads = [sent(read, WRITES.created), sent(read, WRITES.createdSecond)];
  return reads.some((each) => each && isSuccess(each.exchange));
}

function isReplaced(sent: Sent, resource: Resource, isStrict: boolean): Shown {
  const held: Judged[] = [];
  let before = sent(resource.read, WRITES.created);
  for (const operation of resource.replace) {
    const change = sent(operation, WRITES.changed);
    const after = sent(resource.read, `${WRITES.changed}-${operation.method.toLowerCase()}`);
    const earlier = before;
    before = after ?? before;
    // A 202 says that the change comes later.
    const isDone = change && isSuccess(change.exchange) && change.exchange.response?.status !== 202;
    if (!isDone || !earlier || !after || !isSuccess(after.exchange)) continue;
    const [asked, old, shown] = [
      sentFields(change.exchange),
      shownFields(earlier.exchange),
      shownFields(after.exchange),
    ];
    if (!asked || !old || !shown) continue;
    const names = compared(resource, change, asked, shown).filter((name) => !isSame(asked[name], old[name]));
    const kept = names.filter((name) => isSame(shown[name], old[name]));
    const answered = shownFields(change.exchange);
    const lost = isStrict
      ? names.find((name) => !isSame(asked[name], shown[name]))
      : (kept.find((name) => answered?.[name] !== undefined && isSame(asked[name], answered[name])) ??
        (kept.length === names.length ? kept[0] : undefined));
    if (lost !== undefined) return { wrong: differs(lost, asked[lost], shown[lost]), by: [change, after] };
    if (names.length > 0) held.push(after);
  }
  return held.length > 0 ? { held } : undefined;
}

function isGone(sent: Sent, resource: Resource, isStrict: boolean): Shown {
  const [removal, after] = [sent(resource.remove, WRITES.removal), sent(resource.read, WRITES.removed)];
  const status = after?.exchange.response?.status;
  const isDone = removal && isSuccess(removal.exchange) && removal.exchange.response?.status !== 202;
  if (!isDone || !after || status === undefined) return undefined;
  if (isAbsent(status)) return { held: [removal, after] };
  const before = lastRead(sent, resource);
  const [old, now] = [before, after].map((each) => parseJson(each?.exchange.response?.body ?? ''));
  // Something removed may be shown as such.
  const isUnchanged = old?.ok === true && now?.ok === true && sameJson(old.value, now.value);
  if (!isSuccess(after.exchange) || !(isStrict || isUnchanged)) return undefined;
  const wrong = {
    reason: 'what was removed can still be read',
    expected: 'status 404 or 410',
    received: `status ${status}`,
  };
  return { wrong, by: [removal, after] };
}

function lastRead(sent: Sent, { read, replace }: Resource): Judged | undefined {
  const names = [WRITES.created, ...replace.map(({ method }) => `${WRITES.changed}-${method.toLowerCase()}`)];
  return names.map((name) => sent(read, name)).findLast((each) => each && isSuccess(each.exchange));
}

/** Whether a request was for the thing with this id. */
function isOf({ exchange }: Judged, id: string | undefined): boolean {
  return id !== undefined && new URL(exchange.url).pathname.endsWith(`/${encodeURIComponent(id)}`);
}

function differs(name: string, due: Parameters<typeof stringifyJson>[0], shown: typeof due) {
  return {
    reason: `${name} is not what was sent`,
    expected: `${name}: ${stringifyJson(due)}`,
    received: `${name}: ${stringifyJson(shown)}`,
    pointer: pointerOf([name]),
  };
}
