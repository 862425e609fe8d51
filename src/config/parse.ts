import { type Document, isMap, isNode, isScalar, LineCounter, type Pair, parseDocument, visit } from 'yaml';
import { isUtf16, SAVE_AS_UTF8 } from '../model/file-error.ts';
import { counted } from '../model/report/report.ts';
import { isWrittenByHttp } from '../run/settings/values.ts';
import {
  type Config,
  ConfigError,
  type ConfiguredTarget,
  overriddenBy,
  type TargetSettings,
  withApiUrl,
  withHeaders,
} from './config.ts';
import { type ConfigMistake, mistakesOf } from './schema.ts';

/** The maximum number of characters and of aliases in a configuration. */
const MAX_LENGTH = 1024 * 1024;
const MAX_ALIASES = 100;

/** Further mistakes that an error lists. */
const MAX_MORE = 20;

/**
 * Parses a configuration.
 * @param file its path, for errors
 * @throws ConfigError with its mistakes in order, each with file:line:column
 */
export function parseConfig(text: string, file: string): Config {
  if (text.length > MAX_LENGTH)
    throw new ConfigError(`${file}: too long; a configuration has at most ${MAX_LENGTH} characters`);
  if (isUtf16(text)) throw new ConfigError(`${file}: ${SAVE_AS_UTF8}`);
  const lines = new LineCounter();
  const document = shallow(file, () =>
    parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' }),
  );
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const [broken] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (broken) throw new ConfigError(`${place(broken.pos[0])}: ${broken.message}`);
  const data = plainData(document, file, place);
  const offsetOf = ({ path, isName }: Pick<ConfigMistake, 'path' | 'isName'>) =>
    offsetAt(document, path, isName);
  const inSchema = mistakesOf(data);
  const mistakes = inSchema.length > 0 ? inSchema : furtherMistakes(data as FileSettings);
  const [first, ...more] = mistakes
    .map((mistake) => ({ ...mistake, offset: offsetOf(mistake) }))
    .sort((left, right) => left.offset - right.offset)
    .map(({ offset, words }) => `${place(offset)}: ${words}`);
  const unlisted = more.length - MAX_MORE;
  if (first !== undefined)
    throw new ConfigError(first, [
      ...more.slice(0, MAX_MORE),
      ...(unlisted > 0 ? [`${file}: and ${counted(unlisted, 'more mistake')}`] : []),
    ]);
  const { defaults = {}, targets } = data as FileSettings;
  return {
    file,
    targets: Object.entries(targets).map(([name, settings]) => ({
      ...merged(withApiUrl(defaults), withApiUrl(settings)),
      name,
      place: place(offsetOf({ path: ['targets', name], isName: true })),
    })),
  };
}

/** @throws ConfigError if the text is nested too deeply for the parser */
function shallow<T>(file: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(`${file}: nested too deeply`);
    throw error;
  }
}

interface FileSettings {
  defaults?: TargetSettings;
  targets: Readonly<Record<string, TargetSettings>>;
}

/** The document as plain data. Integers that a double cannot hold stay text. */
function plainData(document: Document, file: string, place: (offset: number) => string): unknown {
  visit(document, {
    Scalar(_, node) {
      const { value, source = '' } = node;
      const isChanged = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
      if (isChanged) node.value = source;
    },
    Alias(_, node) {
      if (node.resolve(document) === undefined)
        throw new ConfigError(`${place(node.range?.[0] ?? 0)}: unknown alias '*${node.source}'`);
    },
  });
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (error instanceof ReferenceError)
      throw new ConfigError(`${file}: too many aliases; a configuration has at most ${MAX_ALIASES}`);
    throw error;
  }
}

/** Mistakes that a schema cannot state. */
function furtherMistakes(settings: FileSettings): ConfigMistake[] {
  return [...missingAddresses(settings), ...unsettableHeaders(settings)];
}

/** Names of headers that HTTP writes, in whatever case. */
function unsettableHeaders({ defaults = {}, targets }: FileSettings): ConfigMistake[] {
  const sections = [
    { path: ['defaults'], headers: defaults.headers },
    ...Object.entries(targets).map(([name, { headers }]) => ({ path: ['targets', name], headers })),
  ];
  return sections.flatMap(({ path, headers = {} }) =>
    Object.keys(headers)
      .filter(isWrittenByHttp)
      .map((name) => ({
        path: [...path, 'headers', name],
        isName: true,
        words: `'${name}' is written by petspec itself; leave it out`,
      })),
  );
}

/** Targets without a base URL: it may come from the defaults. */
function missingAddresses({ defaults, targets }: FileSettings): ConfigMistake[] {
  return Object.entries(targets)
    .filter(([, { baseUrl }]) => (baseUrl ?? defaults?.baseUrl) === undefined)
    .map(([name]) => ({
      path: ['targets', name],
      isName: true,
      words: `target '${name}' needs a 'baseUrl'`,
    }));
}

/** The defaults, overridden by the settings of a target. Headers are merged by name. */
function merged(
  defaults: TargetSettings,
  settings: TargetSettings,
): Omit<ConfiguredTarget, 'name' | 'place'> {
  const { baseUrl = '', categoryId, ...rest } = { ...overriddenBy(defaults, settings), ...settings };
  const headers = withHeaders(Object.entries(defaults.headers ?? {}), Object.entries(settings.headers ?? {}));
  return {
    ...rest,
    baseUrl,
    categoryId: categoryId === undefined ? undefined : String(categoryId),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
  };
}

/** The offset of a name or a value. The value of an alias is at the alias. */
function offsetAt(document: Document, path: readonly string[], isName: boolean): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const [index, name] of path.entries()) {
    const pair: Pair | undefined = isMap(node)
      ? node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === name)
      : undefined;
    if (!pair) return offset;
    const isLast = index === path.length - 1;
    node = pair.value;
    offset = startOf(isLast && isName ? pair.key : node) ?? startOf(pair.key) ?? offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
