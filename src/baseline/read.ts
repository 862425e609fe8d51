import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import type { Sighting } from '../model/finding.ts';
import type { Baseline, Entry } from './baseline.ts';

/** A file is no baseline: one line that says where, and what to do. */
export class BaselineProblem extends Error {
  override name = 'BaselineProblem';
}

type Fail = (node: unknown, words: string) => never;

/**
 * Reads a baseline.
 * @param file as the user named it
 * @param ids of all requirements that petspec knows
 * @throws BaselineProblem for the first mistake, with its line and column
 */
export function readBaseline(file: string, text: string, ids: readonly string[]): Baseline {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const failAt = (offset: number, words: string): never => {
    const { line, col } = lines.linePos(offset);
    throw new BaselineProblem(`${file}, line ${line}, column ${col}: ${words}`);
  };
  const fail: Fail = (node, words) => failAt((node as Node | null)?.range?.[0] ?? 0, words);
  const [error] = [...document.errors, ...document.warnings];
  if (error) failAt(error.pos[0], error.message);
  const root = mapping(document.contents, ['violations'], fail, 'a baseline is a mapping with violations');
  const list = root.get('violations', true);
  // What is left once the last entry is deleted, as petspec told: a name without a value.
  if (isScalar(list) && list.value === null) return { file, entries: [] };
  if (!isSeq(list)) return fail(list ?? root, 'violations is a list of entries');
  const entries = list.items.map((item) => {
    const entry = mapping(
      item,
      ['requirement', 'comment', 'seen'],
      fail,
      'an entry has requirement, comment and seen',
    );
    const [start, end] = entry.range ?? [0, 0];
    const { line } = lines.linePos(start);
    const lastLine = lines.linePos(start + text.slice(start, end).trimEnd().length).line;
    return { ...entryOf(entry, ids, fail), line, lastLine };
  });
  const twice = entries.findIndex(({ requirement }, index) =>
    entries.slice(0, index).some((each) => each.requirement === requirement),
  );
  if (twice >= 0) fail(list.items[twice], `${entries[twice]?.requirement} is there twice`);
  return { file, entries };
}

function entryOf(
  entry: YAMLMap,
  ids: readonly string[],
  fail: Fail,
): Pick<Entry, 'requirement' | 'comment' | 'seen'> {
  const requirement = text(entry, 'requirement', fail, 'an entry names a requirement');
  if (!ids.includes(requirement))
    fail(
      entry.get('requirement', true),
      `there is no requirement ${requirement}; petspec requirements lists them`,
    );
  const comment = text(
    entry,
    'comment',
    fail,
    `${requirement} has no comment: say why it is known, and until when`,
  );
  const seen = entry.get('seen', true);
  if (!isSeq(seen) || seen.items.length === 0)
    return fail(seen ?? entry, `${requirement} does not say how it is seen: --write-baseline does`);
  return { requirement, comment, seen: seen.items.map((item) => sightingOf(item, fail)) };
}

function sightingOf(item: unknown, fail: Fail): Sighting {
  const sighting = mapping(item, ['what', 'at'], fail, 'what is seen has what and at');
  const at = sighting.get('at', true);
  if (!isSeq(at)) return fail(at ?? sighting, 'at is a list of requests');
  const places = at.items.map((each) =>
    isScalar(each) && typeof each.value === 'string' ? each.value : fail(each, 'a request is a text'),
  );
  return { what: text(sighting, 'what', fail, 'what is seen is a text'), at: places };
}

function mapping(node: unknown, names: readonly string[], fail: Fail, words: string): YAMLMap {
  if (!isMap(node)) return fail(node, words);
  for (const { key } of node.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (!names.includes(name)) fail(key, `there is no ${name || 'such name'} here; ${words}`);
  }
  return node;
}

function text(map: YAMLMap, name: string, fail: Fail, words: string): string {
  const node = map.get(name, true);
  if (isScalar(node) && typeof node.value === 'string' && node.value.trim() !== '') return node.value;
  return fail(node ?? map, words);
}
