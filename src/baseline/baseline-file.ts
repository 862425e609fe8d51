import {
  Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { isUtf16, SAVE_AS_UTF8 } from '../model/file-error.ts';
import {
  DEVIATION_KINDS,
  type DeviationKind,
  type Fingerprint,
  mergeFingerprints,
} from '../model/finding.ts';
import { placeWithoutRequest } from '../model/report/place.ts';
import { isViolation, type Report, type RequirementResult } from '../model/report/report.ts';
import { didYouMean } from '../model/usage-error.ts';
import { clip, visible } from '../model/visible.ts';
import {
  type Baseline,
  type BaselineEntry,
  covers,
  digestOf,
  type KnownFingerprint,
  type PlannedRun,
  TODO_COMMENT,
} from './baseline.ts';

/** A file is not a valid baseline. The message is one line: the place, the mistake, and what to do. */
export class BaselineProblem extends Error {
  override name = 'BaselineProblem';
}

type Fail = (node: unknown, words: string) => never;

/** The ids that entries may name. */
export interface Names {
  requirements: readonly string[];
  operations: readonly string[];
}

/**
 * Reads a baseline.
 * @param file the path as the user gave it
 * @throws BaselineProblem for the first mistake, with its line and column
 */
export function readBaseline(file: string, text: string, names: Names): Baseline {
  if (isUtf16(text)) throw new BaselineProblem(`${file}: ${SAVE_AS_UTF8}`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const failAt = (offset: number, words: string): never => {
    const { line, col } = lines.linePos(offset);
    throw new BaselineProblem(`${file}, line ${line}, column ${col}: ${words}`);
  };
  const fail: Fail = (node, words) => failAt((node as Node | null)?.range?.[0] ?? 0, words);
  const [error] = [...document.errors, ...document.warnings];
  if (error) failAt(error.pos[0], error.message);
  const root = mapping(document.contents, ['requests', 'violations'], fail, 'a baseline');
  const requests = root.has('requests')
    ? {
        requests: textOf(
          root,
          'requests',
          fail,
          "'requests' must be a string, as --write-baseline writes it",
        ),
      }
    : {};
  const list = root.get('violations', true);
  // Deleting the last entry leaves a key without a value.
  if (isScalar(list) && list.value === null) return { file, entries: [], ...requests };
  if (!isSeq(list)) return fail(list ?? root, "'violations' must be a list of entries");
  const entries = list.items.map((item) => {
    const entry = mapping(item, ['requirement', 'comment', 'waived', 'seen'], fail, 'an entry');
    const [start, end] = entry.range ?? [0, 0];
    const { line } = lines.linePos(start);
    const lastLine = lines.linePos(start + text.slice(start, end).trimEnd().length).line;
    return { ...entryAt(entry, names, fail), line, lastLine };
  });
  const named = entries.map(({ requirement }) => requirement);
  const duplicate = named.findIndex((id, index) => named.indexOf(id) < index);
  if (duplicate >= 0) fail(list.items[duplicate], `duplicate entry for '${named[duplicate]}'; keep only one`);
  return { file, entries, ...requests };
}

function entryAt(
  entry: YAMLMap,
  { requirements: ids, operations }: Names,
  fail: Fail,
): Omit<BaselineEntry, 'line' | 'lastLine'> {
  const requirement = textOf(entry, 'requirement', fail, "an entry needs a 'requirement', the id of one");
  if (!ids.includes(requirement))
    fail(
      entry.get('requirement', true),
      `unknown requirement '${requirement}'${didYouMean(requirement, ids) || '; petspec requirements lists them'}`,
    );
  const comment = reasonIn(entry, 'comment', fail, `'${requirement}': why is it known, and until when?`);
  const waived = reasonIn(entry, 'waived', fail, `'${requirement}': why is it not regarded as a violation?`);
  if (comment === undefined && waived === undefined)
    return fail(
      entry,
      `'${requirement}' needs a comment: why is it known, and until when? Or 'waived', with the reason`,
    );
  const seen = entry.get('seen', true);
  if (!isSeq(seen) || seen.items.length === 0)
    return fail(seen ?? entry, `'${requirement}' needs 'seen', a list as --write-baseline writes it`);
  return {
    requirement,
    comment,
    waived,
    seen: seen.items.map((item) => fingerprintIn(item, operations, fail)),
  };
}

function reasonIn(entry: YAMLMap, name: string, fail: Fail, words: string): string | undefined {
  return entry.has(name) ? textOf(entry, name, fail, words) : undefined;
}

/**
 * Reads a fingerprint. Its text `what` is for people. Baselines from before 0.3.0 may have no kind, and their places name
 * requests and variations, which depend on the seed.
 */
function fingerprintIn(item: unknown, operations: readonly string[], fail: Fail): KnownFingerprint {
  const map = mapping(item, ['what', 'kind', 'pointer', 'at', 'variation'], fail, "an item of 'seen'");
  const places = textsIn(map, 'at', fail).map((place) => placeWithoutRequest(place, operations));
  if (!map.has('kind')) {
    return { what: textOf(map, 'what', fail, "an item of 'seen' needs a 'kind'"), at: places };
  }
  const expected = `expected one of ${DEVIATION_KINDS.join(', ')}`;
  const kind = textOf(map, 'kind', fail, `'kind' is not valid; ${expected}`);
  if (!isKind(kind)) return fail(map.get('kind', true), `unknown kind '${kind}'; ${expected}`);
  const pointer = map.get('pointer', true);
  const what = map.has('what') ? String(map.get('what')) : '';
  if (pointer === undefined) return { what, kind, at: places };
  // The empty pointer, the whole body, is valid.
  if (!isScalar(pointer) || typeof pointer.value !== 'string')
    return fail(pointer, "'pointer' must be a JSON Pointer");
  return { what, kind, pointer: pointer.value, at: places };
}

function textsIn(map: YAMLMap, name: string, fail: Fail): string[] {
  const list = map.get(name, true);
  if (!isSeq(list)) return fail(list ?? map, `'${name}' must be a list of places such as listPets 200`);
  return list.items.map((item) =>
    isScalar(item) && typeof item.value === 'string'
      ? item.value
      : fail(item, `a place in '${name}' must be a string`),
  );
}

function isKind(name: string): name is DeviationKind {
  return DEVIATION_KINDS.some((kind) => kind === name);
}

function mapping(node: unknown, names: readonly string[], fail: Fail, what: string): YAMLMap {
  const expected = `${what} is a mapping with ${names.map((name) => `'${name}'`).join(', ')}`;
  if (!isMap(node)) return fail(node, expected);
  for (const { key } of node.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (!names.includes(name)) fail(key, `unknown key '${name}'${didYouMean(name, names)}; ${expected}`);
  }
  return node;
}

function textOf(map: YAMLMap, name: string, fail: Fail, words: string): string {
  const node = map.get(name, true);
  if (isScalar(node) && typeof node.value === 'string' && node.value.trim() !== '') return node.value;
  return fail(node ?? map, words);
}

/** Longest comment with the expected and received values, in characters. */
const MAX_HINT = 300;

const HEAD = ` Known violations. With --baseline and this file, petspec exits with 0 if it finds no others. petspec compares the requirement,
 and kind, pointer and at of each item; what is only for the reader. Say in each comment why the violation is known, and until
 when. If you do not regard it as a violation, put waived: <the reason> in place of the comment.`;

const REQUESTS =
  ' What the run sent, as a digest. A run that sends the same also fails for an entry that is no longer violated.';

type Written = Pick<BaselineEntry, 'requirement' | 'comment' | 'waived' | 'seen'>;

/**
 * Renders the violations of a run as a baseline.
 * @param sent what the run sent by its plan; absent for traffic that petspec did not plan
 * @param earlier the baseline that the run was compared with: its comments stay, and what this run could not show
 */
export function renderBaseline(report: Report, sent: PlannedRun | undefined, earlier?: Baseline): string {
  const digest = sent && digestOf(sent);
  const otherEntries = digest !== undefined && digest === earlier?.requests ? [] : (earlier?.entries ?? []);
  const violations = report.requirements.filter((result) => isViolation(report, result));
  const unseen = new Set(report.baseline?.unjudged.map(({ requirement }) => requirement));
  const entries = [
    ...violations.map((violation) => entryOf(violation, earlier?.entries ?? [], otherEntries)),
    ...(earlier?.entries ?? [])
      .filter(({ requirement }) => unseen.has(requirement))
      .map(({ line: _line, lastLine: _lastLine, ...entry }) => entry),
  ];
  const isFoundWhole = entries.every(({ seen }, index) => covers(violations[index]?.seen ?? [], seen));
  const document = new Document(
    { requests: digest !== undefined && isFoundWhole ? digest : undefined, violations: entries },
    { aliasDuplicateObjects: false },
  );
  addComments(document, violations);
  return document.toString({ lineWidth: 0 });
}

/** @param otherEntries entries of a run that sent other requests, which may have shown more */
function entryOf(
  { id, seen: found = [] }: RequirementResult,
  earlier: readonly BaselineEntry[],
  otherEntries: readonly BaselineEntry[],
): Written {
  const isSame = ({ requirement }: BaselineEntry) => requirement === id;
  const earlierEntry = earlier.find((entry) => isSame(entry) && covers(entry.seen, found));
  const more = otherEntries
    .find(isSame)
    ?.seen.flatMap(({ kind, ...fingerprint }) => (kind ? [{ ...fingerprint, kind }] : []));
  const seen = mergeFingerprints([...found, ...(more ?? [])]).map(
    ({ variation: _, ...fingerprint }): Fingerprint => fingerprint,
  );
  if (!earlierEntry) return { requirement: id, comment: TODO_COMMENT, seen };
  const { comment, waived } = earlierEntry;
  return { requirement: id, comment, waived, seen };
}

/** Adds comments for the reader: the head, and what was expected and received. Puts lists of places on one line. */
function addComments(document: Document, violations: readonly RequirementResult[]): void {
  document.commentBefore = HEAD;
  visit(document, {
    Pair(_, { key, value }) {
      if (String(key) === 'at' && isSeq(value)) value.flow = true;
      if (String(key) === 'requests' && isScalar(key)) key.commentBefore = REQUESTS;
    },
  });
  const list = document.get('violations');
  if (!isSeq(list)) return;
  for (const [index, { expected = '', received = '' }] of violations.entries()) {
    const entry = list.items[index];
    const reason = isMap(entry) ? entry.items[1] : undefined;
    const hint = visible(clip(`expected ${expected}, received ${received}`, MAX_HINT));
    if (isScalar(reason?.key)) reason.key.commentBefore = ` ${hint}`;
  }
}
