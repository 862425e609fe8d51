import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { MAX_BYTES } from '../../../contract/document/read-files.ts';
import { filesReferredIn } from '../../../contract/document/references.ts';
import { realClock } from '../../../model/clock.ts';
import { type HeaderLine, headerValue } from '../../../model/exchange.ts';
import { percentDecoded, percentEncoded } from '../../../model/http/percent-encoding.ts';
import { packageVersion } from '../../../model/package-root.ts';
import type { InterfaceSource } from '../../../model/report/report.ts';
import { UsageError } from '../../../model/usage-error.ts';
import { clip, visible } from '../../../model/visible.ts';
import type { OptionValues } from '../../../run/settings/option-table.ts';
import type { Network } from '../../../session/http/connect.ts';
import { Transport } from '../../../session/http/transport.ts';

/** The time for one file in ms, and the most files and redirects. */
const TIMEOUT_MS = 30_000;
const MOST_FILES = 100;
const MOST_REDIRECTS = 5;

/** The options that name a document at a URL. */
export type InterfaceFlags = Pick<OptionValues, 'interface' | 'interfaceDigest' | 'interfaceHeader'>;

/** A fetched document, and its copy. */
export interface FetchedInterface extends InterfaceSource {
  /** Path of its first file in a folder that is removed when the process ends. */
  file: string;
}

/** Whether `--interface` names an address. */
export function isInterfaceUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/**
 * Fetches the OpenAPI document at the URL of `--interface`, with the files below its folder that it refers to: from its
 * origin alone, without the key and the headers of the run.
 * @returns undefined if `--interface` names no URL
 * @throws UsageError with one line if a file cannot be fetched, or the document does not have the stated digest
 */
export async function fetchedInterface(
  { interface: named, interfaceDigest, interfaceHeader = [] }: InterfaceFlags,
  network: Network,
): Promise<FetchedInterface | undefined> {
  if (named === undefined || !isInterfaceUrl(named)) {
    const option = interfaceDigest === undefined ? '--interface-header' : '--interface-digest';
    if (interfaceDigest !== undefined || interfaceHeader.length > 0)
      throw new UsageError(`${option} is for --interface with a URL; leave it out`);
    return undefined;
  }
  const url = addressOf(named);
  const transport = new Transport({ clock: realClock, timeout: TIMEOUT_MS, network });
  const fetchText = (address: URL) => textAt(address, transport, interfaceHeader);
  try {
    const fetched = await fetchText(url);
    const digest = createHash('sha256').update(fetched.text).digest('hex');
    if (interfaceDigest !== undefined && digest !== interfaceDigest.toLowerCase())
      throw new UsageError(`--interface-digest: ${shown(url)} has the SHA-256 ${digest}`);
    return { url: shown(url), digest, file: await savedWithFiles(fetched, fetchText) };
  } finally {
    await transport.close();
  }
}

/** @throws UsageError that quotes no secret */
function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new UsageError('--interface: not a valid URL');
  if (url.username || url.password)
    throw new UsageError(
      '--interface: user and password in the URL are not supported; send a header with --interface-header',
    );
  url.hash = '';
  return url;
}

/** An address without its query, which may hold a secret. */
const shown = ({ origin, pathname }: URL) => visible(origin + pathname);

/** A text, and its URL after redirects: its references are relative to that. */
interface Fetched {
  url: URL;
  text: string;
}

async function textAt(
  first: URL,
  transport: Transport,
  furtherHeaders: readonly HeaderLine[],
): Promise<Fetched> {
  const headers: HeaderLine[] = [
    ['accept', 'application/yaml, application/json, */*'],
    ['accept-encoding', 'gzip, deflate, br'],
    ['user-agent', `petspec/${packageVersion}`],
    ...furtherHeaders,
  ];
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const fail = (why: string) => new UsageError(`--interface: ${shown(url)}: ${why}`);
    const { response, failure } = await transport.send({ method: 'GET', url, headers });
    if (!response) throw fail(visible(failure?.message ?? 'no response'));
    const location = headerValue(response.headers, 'Location');
    if (response.status >= 300 && response.status < 400 && location !== undefined) {
      if (redirects === MOST_REDIRECTS) throw fail(`more than ${MOST_REDIRECTS} redirects`);
      const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      if (next?.origin !== first.origin)
        throw fail('it redirects to another origin; name the address where the document is');
      url = next;
      continue;
    }
    if (response.status !== 200) throw fail(`status ${response.status}`);
    const problem = response.unread ?? response.undecodable;
    if (problem !== undefined) throw fail(visible(problem));
    return { url, text: response.body };
  }
}

/**
 * Saves a document with the files below its folder that it refers to.
 * @throws UsageError if a file is missing, or if there are too many, or too many bytes
 */
async function savedWithFiles(
  { url, text }: Fetched,
  fetchText: (url: URL) => Promise<Fetched>,
): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'petspec-interface-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const first = join(
    folder,
    percentDecoded(url.pathname.split('/').at(-1) || 'openapi').replaceAll(/[/\\]/g, '_'),
  );
  const fail = (why: string) => new UsageError(`--interface: ${shown(url)} ${why}`);
  const wanted = new Set([first]);
  let bytes = 0;
  // Names that are added meanwhile are visited as well.
  for (const name of wanted) {
    const inside = relative(folder, name);
    const address = new URL(inside.split(sep).map(percentEncoded).join('/'), url);
    const content = name === first ? text : (await fetchText(address)).text;
    bytes += Buffer.byteLength(content);
    if (bytes > MAX_BYTES) throw fail(`and the files that it refers to have more than ${MAX_BYTES} bytes`);
    if (!isSaved(name, content))
      throw fail(`refers to a file that cannot be saved: ${visible(clip(inside, 80))}`);
    for (const reference of filesReferredIn(name, content))
      if (!relative(folder, reference).startsWith('..')) wanted.add(reference);
    if (wanted.size > MOST_FILES) throw fail(`refers to more than ${MOST_FILES} files`);
  }
  return first;
}

/** Whether a file could be written: a document may give it any name. */
function isSaved(name: string, text: string): boolean {
  try {
    mkdirSync(dirname(name), { recursive: true });
    writeFileSync(name, text);
    return true;
  } catch {
    return false;
  }
}
