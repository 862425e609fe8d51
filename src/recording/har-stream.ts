import { jsonParser, type Token } from 'stream-json/core/parser.js';

/** Longer texts are cut: a single body may be larger than any string that Node can hold. */
export const MAX_TEXT = 8 * 1024 * 1024;

/** Stands at the end of a text that was cut. */
export const CUT = '\u{fffe}cut by petspec';

/** Objects inside objects beyond this are not kept: nothing in a HAR is as deep. */
const MAX_DEPTH = 32;

/** Members of an object and entries of an array that are kept: more headers than any server sends. */
const MAX_MEMBERS = 10_000;

type Container = Record<string, unknown> | unknown[];

/** Reads the entries of a HAR from its text, piece by piece. */
export interface HarReader {
  /** The entries that this piece completes. @throws Error if the text is not JSON */
  read(text: string): unknown[];
  /** Whether the text so far is a whole document. */
  isWhole(): boolean;
}

/** Only the entry that is being read is in memory, whatever else the file holds. */
export function harReader(): HarReader {
  const tokens = jsonParser({
    packStrings: false,
    streamKeys: false,
    streamNumbers: false,
  }) as unknown as (text: string) => { values?: Token[] } | Token | symbol;
  /** The names and numbers of the containers outside of an entry. */
  const path: (string | number)[] = [];
  const values = valueBuilder();
  let key = '';
  let hasBegun = false;
  const isEntry = () => path.length === 3 && path[0] === 'log' && path[1] === 'entries';
  const done: unknown[] = [];

  /** What follows is the next value of the innermost container outside of an entry. */
  function step(): void {
    const last = path.length - 1;
    if (typeof path[last] === 'number') path[last] = (path[last] as number) + 1;
    else if (last >= 0) path[last] = key;
  }

  function take(token: Token): void {
    if (values.isBuilding()) {
      const built = values.add(token);
      if (built) done.push(built.value);
      return;
    }
    switch (token.name) {
      case 'keyValue':
        key = token.value;
        return;
      case 'startObject':
      case 'startArray':
        hasBegun = true;
        step();
        if (token.name === 'startObject' && isEntry()) values.add(token);
        else path.push(token.name === 'startArray' ? -1 : '');
        return;
      case 'endObject':
      case 'endArray':
        path.pop();
        return;
      case 'startString':
      case 'numberValue':
      case 'nullValue':
      case 'trueValue':
      case 'falseValue':
        step();
    }
  }

  return {
    read(text) {
      done.length = 0;
      const parsed = tokens(text);
      if (typeof parsed === 'object') for (const each of listOf(parsed)) take(each);
      return [...done];
    },
    isWhole: () => hasBegun && path.length === 0 && !values.isBuilding(),
  };
}

function listOf(parsed: { values?: Token[] } | Token): readonly Token[] {
  return 'values' in parsed && parsed.values ? parsed.values : [parsed as Token];
}

/** Builds one value from its tokens, within the bounds above. */
function valueBuilder() {
  const stack: { container: Container; key: string; size: number }[] = [];
  let text: string[] | undefined;
  let length = 0;

  function put(value: unknown): void {
    const top = stack.at(-1);
    if (!top || top.size >= MAX_MEMBERS || stack.length > MAX_DEPTH) return;
    top.size += 1;
    if (Array.isArray(top.container)) top.container.push(value);
    else Object.defineProperty(top.container, top.key, { value, enumerable: true, configurable: true });
  }

  function open(container: Container): void {
    put(container);
    stack.push({ container, key: '', size: 0 });
  }

  return {
    isBuilding: () => stack.length > 0,
    /** @returns the value, if the token completes it */
    add(token: Token): { value: unknown } | undefined {
      switch (token.name) {
        case 'startObject':
          open({});
          return undefined;
        case 'startArray':
          open([]);
          return undefined;
        case 'endObject':
        case 'endArray': {
          const closed = stack.pop();
          return stack.length === 0 ? { value: closed?.container } : undefined;
        }
        case 'keyValue': {
          const top = stack.at(-1);
          if (top) top.key = token.value;
          return undefined;
        }
        case 'startString':
          text = [];
          length = 0;
          return undefined;
        case 'stringChunk':
          length += token.value.length;
          if (length <= MAX_TEXT) text?.push(token.value);
          return undefined;
        case 'endString':
          put((text ?? []).join('') + (length > MAX_TEXT ? CUT : ''));
          text = undefined;
          return undefined;
        case 'numberValue':
          put(Number(token.value));
          return undefined;
        case 'nullValue':
        case 'trueValue':
        case 'falseValue':
          put(token.value);
      }
      return undefined;
    },
  };
}
