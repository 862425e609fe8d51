/**
 * The architecture of the code: which folder imports which, and a picture of it for ARCHITECTURE.md.
 * `node dist/scripts/architecture.js` draws docs/architecture.svg again.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { packageRoot } from '../src/model/package-root.ts';

/** From bottom to top: a folder imports only folders below it. */
export const LAYERS: readonly (readonly string[])[] = [
  ['model'],
  ['contract', 'limiter'],
  ['secrets'],
  ['requests'],
  ['probes', 'judge'],
  ['session'],
  ['reference', 'traffic'],
  ['suite'],
  ['suites', 'reproduction', 'server'],
  ['run'],
  ['selfcheck', 'client', 'recording'],
  ['report'],
  ['baseline', 'certificate', 'history', 'index'],
  ['vitest', 'config', 'board', 'proxy', 'diff'],
  ['cli'],
];

/** One file that imports another, both as paths from the root of the project. */
export interface Import {
  from: string;
  to: string;
}

/** Every import between source files, including types and dynamic imports, without tests. */
export function importsOf(root = packageRoot): Import[] {
  return ['src', 'suites'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\//.test(name))
      .map((name) => join(folder, name))
      .flatMap((from) => {
        const text = readFileSync(join(root, from), 'utf8');
        const found = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g)];
        return found.map(([, path = '']) => ({ from, to: normalize(join(dirname(from), path)) }));
      }),
  );
}

/** The folder of `src/` that a file is in; `suites`, and `index` for the public interface. */
export function folderOf(path: string): string {
  const [top = '', folder = '', file] = path.split('/');
  if (top === 'suites') return top;
  return file === undefined ? folder.replace(/\.ts$/, '') : folder;
}

/** Which folder imports which, without imports that also exist through another folder. */
function directEdges(imports: readonly Import[]): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [above, below] = [folderOf(from), folderOf(to)];
    if (above !== below) edges.set(above, (edges.get(above) ?? new Set()).add(below));
  }
  const reached = (folder: string): Set<string> =>
    new Set([...(edges.get(folder) ?? [])].flatMap((each) => [each, ...reached(each)]));
  return new Map(
    [...edges].map(([above, below]) => {
      const indirect = new Set([...below].flatMap((each) => [...reached(each)]));
      return [above, new Set([...below].filter((each) => !indirect.has(each)))];
    }),
  );
}

const WIDTH = 132;
const HEIGHT = 34;
const GAP = 40;
const STEP = HEIGHT + 30;

/** The folders as boxes, imported ones below, with an arrow from each folder to each that it imports. */
export function renderArchitecture(imports: readonly Import[]): string {
  const widest = Math.max(...LAYERS.map((each) => each.length));
  const width = widest * (WIDTH + GAP) + GAP;
  const places = new Map<string, { x: number; y: number }>();
  for (const [level, folders] of [...LAYERS].reverse().entries())
    for (const [index, folder] of folders.entries()) {
      const row = folders.length * (WIDTH + GAP) - GAP;
      places.set(folder, { x: (width - row) / 2 + index * (WIDTH + GAP), y: GAP / 2 + level * STEP });
    }
  const arrows = [...directEdges(imports)].flatMap(([above, below]) =>
    [...below].sort().map((each) => arrow(places, above, each)),
  );
  const boxes = [...places].map(
    ([folder, { x, y }]) =>
      `<rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="6"/><text x="${x + WIDTH / 2}" y="${y + 22}">${nameOf(folder)}</text>`,
  );
  const height = LAYERS.length * STEP + GAP / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">The folders of petspec: each imports only folders below it</title>
<style>rect{fill:#fff;stroke:#444}path{fill:none;stroke:#666;stroke-width:1.5;marker-end:url(#head)}text{font:14px sans-serif;text-anchor:middle;fill:#222}</style>
<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><polygon points="0,0 8,4 0,8" fill="#666"/></marker>
<rect x="0" y="0" width="${width}" height="${height}" style="stroke:none"/>
${[...arrows.sort(), ...boxes].join('\n')}
</svg>
`;
}

function nameOf(folder: string): string {
  if (folder === 'suites') return 'suites/';
  return folder === 'index' ? 'src/index.ts' : `src/${folder}/`;
}

function arrow(places: ReadonlyMap<string, { x: number; y: number }>, above: string, below: string): string {
  const from = places.get(above) ?? { x: 0, y: 0 };
  const to = places.get(below) ?? { x: 0, y: 0 };
  const [x1, y1] = [from.x + WIDTH / 2, from.y + HEIGHT];
  const [x2, y2] = [to.x + WIDTH / 2, to.y];
  // An arrow over several layers bends around the boxes in between.
  const bend = (y2 - y1 - (STEP - HEIGHT)) / 3;
  const side = (above.length + below.length) % 2 === 0 ? bend : -bend;
  return `<path d="M${x1} ${y1} C${x1 + side} ${y1 + 20} ${x2 + side} ${y2 - 20} ${x2} ${y2}"/>`;
}

const isMain = process.argv[1]?.endsWith('architecture.js') ?? false;
if (isMain) writeFileSync(join(packageRoot, 'docs', 'architecture.svg'), renderArchitecture(importsOf()));
