import { createRequire } from 'node:module';

type Undici = typeof import('undici');

const require = createRequire(import.meta.url);

/** The two parts of undici that petspec uses, by their files: all of undici takes three times as long to load. */
export const Client: Undici['Client'] = require('undici/lib/dispatcher/client.js');
export const buildConnector: Undici['buildConnector'] = require('undici/lib/core/connect.js');
