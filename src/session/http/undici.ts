import { createRequire } from 'node:module';
import type { Dispatcher } from 'undici';

type Undici = typeof import('undici');

const require = createRequire(import.meta.url);

/** The two parts of undici that petspec uses, by their files: all of undici takes three times as long to load. */
export const Client: Undici['Client'] = require('undici/lib/dispatcher/client.js');
export const buildConnector: Undici['buildConnector'] = require('undici/lib/core/connect.js');

/** `client.connect(options)`: asks for a tunnel. Only all of undici gives its clients this method. */
export function connectBy(
  client: InstanceType<typeof Client>,
  options: Parameters<InstanceType<typeof Client>['connect']>[0],
): Promise<Dispatcher.ConnectData> {
  return require('undici/lib/api/api-connect.js').call(client, options);
}
