import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const KEY = 'reader-7f3a:pass-91c2';

/** A document whose only operation asks for a key of this scheme. */
export function documentOf(scheme: object, security: object[] = [{ key: [] }]): string {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const content = { 'application/json': { schema: { type: 'array' } } };
  const responses = { 200: { description: 'Things.', content }, 401: { description: 'No.' } };
  const document = {
    openapi: '3.1.0',
    paths: { '/things': { get: { operationId: 'list', responses } } },
    security,
    components: { securitySchemes: { key: scheme, other: { type: 'mutualTLS' } } },
  };
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  return folder;
}

/** A service that lets in whoever sends this header. It keeps what it got in that header. */
export async function startService(header: string, right: string, { isOpen = false } = {}) {
  const got: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    const value = headers[header];
    got.push(typeof value === 'string' ? value : undefined);
    const isIn = value === right || isOpen;
    response.writeHead(isIn ? 200 : 401, isIn ? { 'Content-Type': 'application/json' } : {});
    response.end(isIn ? '[]' : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

/** A text with other letters and digits in the same places, and a few more. */
const LIKE_KEY = '[a-z]{6}-\\d[a-z]\\d[a-z]:[a-z]{4}-\\d\\d[a-z]\\d[a-z]\\d';

/** A scheme, the header that carries its right and its unknown key, and the other wrong keys that a single read gets. */
export const SCHEMES: [
  what: string,
  scheme: object,
  header: string,
  right: string,
  unknown: RegExp,
  further: readonly string[],
][] = [
  [
    'bearer',
    { type: 'http', scheme: 'Bearer' },
    'authorization',
    `Bearer ${KEY}`,
    new RegExp(`^Bearer ${LIKE_KEY}$`),
    ['Bearer', `Bearer ${KEY}x`],
  ],
  [
    'OAuth 2',
    { type: 'oauth2', flows: {} },
    'authorization',
    `Bearer ${KEY}`,
    new RegExp(`^Bearer ${LIKE_KEY}$`),
    ['Bearer', `Bearer ${KEY}x`],
  ],
  [
    'OpenID Connect',
    { type: 'openIdConnect' },
    'authorization',
    `Bearer ${KEY}`,
    new RegExp(`^Bearer ${LIKE_KEY}$`),
    ['Bearer', `Bearer ${KEY}x`],
  ],
  [
    'basic',
    { type: 'http', scheme: 'basic' },
    'authorization',
    'Basic cmVhZGVyLTdmM2E6cGFzcy05MWMy',
    /^Basic [\w+/]{30,34}={0,2}$/,
    ['Basic'],
  ],
  [
    'a header',
    { type: 'apiKey', in: 'header', name: 'X-Shop-Key' },
    'x-shop-key',
    KEY,
    new RegExp(`^${LIKE_KEY}$`),
    ['', `${KEY}x`],
  ],
  [
    'a cookie',
    { type: 'apiKey', in: 'cookie', name: 'sid' },
    'cookie',
    `sid=${KEY}`,
    new RegExp(`^sid=${LIKE_KEY}$`),
    ['sid='],
  ],
];
