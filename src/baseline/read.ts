import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import { isUtf16, SAVE_AS_UTF8 } from '../model/file-error.ts';
import { DEVIATION_KINDS, type DeviationKind } from '../model/finding.ts';
import { didYouMean } from '../model/usage-error.ts';
import type { Baseline, Entry, KnownFingerprint } from './baseline.ts';

/** A file is not a valid baseline. The message is one line: where, what is wrong, what to do. */
export class BaselineProblem extends Error {
  override name = 'BaselineProblem';
}

type Fail = (node: unknown, words: string) => never;

/**
 * Reads a baseline.
 * @param file the path as the user gave it
 * @param ids of all requirements that petspec knows
 * @throws BaselineProblem for the first mistake, with its line and column
 */
export function readBaseline(file: string, text: string, ids: readonly string[]): Baseline {
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
  const root = mapping(document.contents, ['violations'], fail, 'a baseline');
  const list = root.get('violations', true);
  // Somebody who deletes the last entry leaves a key without a value.
  if (isScalar(list) && list.value === null) return { file, entries: [] };
  if (!isSeq(list)) return fail(list ?? root, "'violations' must be a list of entries");
  const entries = list.items.map((item) => {
    const entry = mapping(item, ['requirement', 'comment', 'seen'], fail, 'an entry');
    const [start, end] = entry.range ?? [0, 0];
    const { line } = lines.linePos(start);
    const lastLine = lines.linePos(start + text.slice(start, end).trimEnd().length).line;
    return { ...entryOf(entry, ids, fail), line, lastLine };
  });
  const named = entries.map(({ requirement }) => requirement);
  const again = named.findIndex((id, index) => named.indexOf(id) < index);
  if (again >= 0) fail(list.items[again], `duplicate entry for '${named[again]}'; keep only one`);
  return { file, entries };
}

function entryOf(
  entry: YAMLMap,
  ids: readonly string[],
  fail: Fail,
): Pick<Entry, 'requirement' | 'comment' | 'seen'> {
  const requirement = text(entry, 'requirement', fail, "an entry needs a 'requirement', the id of one");
  if (!ids.includes(requirement))
    fail(
      entry.get('requirement', true),
      `unknown requirement '${requirement}'${didYouMean(requirement, ids) || '; petspec requirements lists them'}`,
    );
  const comment = text(
    entry,
    'comment',
    fail,
    `'${requirement}' needs a comment: why is it known, and until when?`,
  );
  const seen = entry.get('seen', true);
  if (!isSeq(seen) || seen.items.length === 0)
    return fail(seen ?? entry, `'${requirement}' needs 'seen', a list as --write-baseline writes it`);
  return { requirement, comment, seen: seen.items.map((item) => fingerprintIn(item, fail)) };
}

/** Reads a fingerprint. Its text `what` is for people. Baselines from before 0.3.0 may have no kind. */
function fingerprintIn(item: unknown, fail: Fail): KnownFingerprint {
  const map = mapping(item, ['what', 'kind', 'pointer', 'at', 'variation'], fail, "an item of 'seen'");
  const places = textsIn(map, 'at', 'request', fail);
  if (!map.has('kind')) {
    text(map, 'what', fail, "an item of 'seen' needs a 'kind'");
    return { at: places };
  }
  const expected = `expected one of ${DEVIATION_KINDS.join(', ')}`;
  const kind = text(map, 'kind', fail, `'kind' is not valid; ${expected}`);
  if (!isKind(kind)) return fail(map.get('kind', true), `unknown kind '${kind}'; ${expected}`);
  const variation = map.has('variation') ? { variation: textsIn(map, 'variation', 'variation', fail) } : {};
  const pointer = map.get('pointer', true);
  if (pointer === undefined) return { kind, at: places, ...variation };
  // The empty pointer is the whole body.
  if (!isScalar(pointer) || typeof pointer.value !== 'string')
    return fail(pointer, "'pointer' must be a JSON Pointer");
  return { kind, pointer: pointer.value, at: places, ...variation };
}

/** The texts of a list. */
function textsIn(map: YAMLMap, name: string, what: string, fail: Fail): string[] {
  const list = map.get(name, true);
  if (!isSeq(list)) return fail(list ?? map, `'${name}' must be a list of ${what}s`);
  return list.items.map((each) =>
    isScalar(each) && typeof each.value === 'string'
      ? each.value
      : fail(each, `a ${what} in '${name}' must be a string`),
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

function text(map: YAMLMap, name: string, fail: Fail, words: string): string {
  const node = map.get(name, true);
  if (isScalar(node) && typeof node.value === 'string' && node.value.trim() !== '') return node.value;
  return fail(node ?? map, words);
}
