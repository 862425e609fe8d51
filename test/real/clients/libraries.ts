import { join } from 'node:path';

/** A client of projects.yaml with a library, in the settings that its documentation shows for retries. */
export interface LibraryClient {
  name: string;
  /** Its words. @param folder where packages are installed and programs compiled */
  command: (folder: string) => readonly string[];
  /** The advisory that it gets, if any, though the clock of the service is right. */
  advised?: string;
  /** The advisory that it gets where the clock of the service is slow, if it gets none otherwise. */
  bySlowClock?: string;
}

/** What the clients from npm need. */
export const PACKAGES: readonly string[] = [
  ...[
    '@azure-rest/core-client@2.7.0',
    'axios@1.21.1',
    'axios-retry@4.5.0',
    'fetch-retry@6.0.0',
    'got@14.6.6',
  ],
  ...['ky@1.14.3', 'ofetch@1.5.1', 'openapi-client-axios@7.9.1', 'openapi-fetch@0.17.0', 'retry-axios@4.0.3'],
  ...['superagent@10.4.2', 'undici@7.30.2', 'wretch@2.11.1'],
];

const program = (name: string) => join(import.meta.dirname, 'libraries', name);

/** How the client in Go is compiled: Debian has the sources of its library. */
export const compileGo = (folder: string): readonly string[] => [
  ...['env', 'GO111MODULE=off', 'GOPATH=/usr/share/gocode'],
  ...['go', 'build', '-o', join(folder, 'retryablehttp'), program('retryablehttp.go')],
];

const npm =
  (library: string): LibraryClient['command'] =>
  (folder) => [process.execPath, join(folder, 'npm.mjs'), library, join(folder, 'projects.json')];

const EARLY = 'client.retry-after';
const GIVES_UP = 'client.retry';

/** Clients with libraries of others. */
export const LIBRARIES: readonly LibraryClient[] = [
  ...[
    'axios with axios-retry',
    'openapi-client-axios with axios-retry',
    '@azure-rest/core-client',
    'ky',
    'got',
  ].map((name) => ({ name, command: npm(name), bySlowClock: EARLY })),
  { name: 'axios with retry-axios', command: npm('axios with retry-axios'), bySlowClock: GIVES_UP },
  ...['undici with its interceptors', 'ofetch', 'wretch', 'superagent', 'openapi-fetch with fetch-retry'].map(
    (name) => ({ name, command: npm(name), advised: EARLY }),
  ),
  {
    name: 'requests with urllib3',
    command: () => ['/usr/bin/python3', program('requests_client.py')],
    bySlowClock: EARLY,
  },
  { name: 'httpx', command: () => ['/usr/bin/python3', program('httpx_client.py')], advised: GIVES_UP },
  { name: 'Faraday', command: () => ['ruby', program('faraday.rb')], bySlowClock: EARLY },
  { name: 'Guzzle', command: () => ['php', program('guzzle.php')], advised: EARLY },
  { name: 'go-retryablehttp', command: (folder) => [join(folder, 'retryablehttp')], advised: EARLY },
  {
    name: 'LWP::UserAgent::Determined',
    command: () => ['perl', program('determined.pl')],
    advised: EARLY,
  },
  { name: 'curl', command: () => ['bash', program('curl.sh')] },
  { name: 'wget', command: () => ['bash', program('wget.sh')], advised: EARLY },
];
