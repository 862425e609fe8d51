import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Exchange } from '../../src/model/exchange.ts';
import { readRateLimit } from '../../src/model/limits/rate-limit.ts';
import { exchangeHider } from '../../src/secrets/hide-exchange.ts';
import { authorization, shownHeaders } from '../../src/secrets/keys/authorization.ts';
import { ownSecrets } from '../../src/secrets/keys/own-secrets.ts';
import { openLedger } from '../../src/session/ledger/ledger.ts';
import { revealedIn, spellingsOf } from '../secrets/spellings.ts';
import { cases, PATIENCE } from './budget.ts';
import { hostileText } from './texts.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-fuzz-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Long enough that nobody writes it by chance, in whatever way it is looked for. */
const isTelling = (secret: string) =>
  secret.replace(/[^a-z0-9]/gi, '').length >= 12 && new Set(secret).size >= 8 && /[a-z]/i.test(secret);

const secret = fc.string({ unit: 'grapheme-ascii', minLength: 12, maxLength: 40 }).map((text) => text.trim());
const key = secret.map((text) => text.replaceAll(' ', '-')).filter(isTelling);
const token = secret.map((text) => text.replace(/[\s",;&=%:\\]/g, '')).filter(isTelling);

interface Sent {
  key: string;
  headers: (readonly [name: string, value: string])[];
  proxy: string;
  /** All that nobody may read. */
  secrets: string[];
}

const sent: fc.Arbitrary<Sent> = fc
  .record({ key, tokens: fc.tuple(token, token, token, token) })
  .map((each) => {
    const [cookie, gateway, password, user] = each.tokens;
    return {
      key: each.key,
      headers: [
        ['Cookie', `theme=dark; sid=${cookie}`],
        ['X-Gateway', `Token ${gateway}`],
        ['X-Team', `Basic ${btoa(`ann:${password}`)}`],
      ],
      proxy: `http://${encodeURIComponent(user)}@127.0.0.1:3128`,
      secrets: [each.key, each.key.slice(0, -1), ...each.tokens],
    };
  });

const NO_REQUEST: Pick<Exchange, 'url' | 'requestHeaders' | 'hidden'> = { url: '', requestHeaders: [] };

/** What a target makes of one of them: which, in which encoding, where, and what stands around it. */
const echo = fc.record({
  which: fc.nat(100),
  how: fc.nat(1_000),
  where: fc.constantFrom('header', 'halves', 'body', 'json', 'json-in-json'),
  before: hostileText,
  after: hostileText,
});
type Echo = typeof echo extends fc.Arbitrary<infer T> ? T : never;

function responseOf({ secrets }: Sent, { which, how, where, before, after }: Echo) {
  const echoed = secrets[which % secrets.length] ?? '';
  const spellings = spellingsOf(echoed);
  const text = `${before} ${spellings[how % spellings.length]} ${after}`;
  const cut = 1 + (how % (echoed.length - 1));
  const halves = [
    ['X-First', `${before} ${echoed.slice(0, cut)}`],
    ['X-Second', `${echoed.slice(cut)} ${after}`],
  ] as const;
  const headers = where === 'halves' ? halves : where === 'header' ? ([['X-Echo', text]] as const) : [];
  const json = JSON.stringify({ id: how, message: text });
  const bodies = { body: text, json, 'json-in-json': JSON.stringify([json]), header: '{}', halves: '[]' };
  return { status: 200, headers, body: bodies[where] };
}

test(
  'whatever a target makes of a secret, in any encoding that is looked for: no file has it, and JSON stays JSON',
  () => {
    fc.assert(
      fc.property(sent, fc.array(echo, { minLength: 1, maxLength: 8 }), (of, echoes) => {
        const own = ownSecrets({ headers: of.headers, network: { proxies: { '': of.proxy } } });
        const hide = exchangeHider(of.key, own);
        const path = join(folder, 'ledger.jsonl');
        const ledger = openLedger(path);
        for (const each of echoes) {
          const came = responseOf(of, each);
          const { response, hidden } = hide({ ...NO_REQUEST, response: came });
          if (each.where !== 'body') expect(() => JSON.parse(response.body)).not.toThrow();
          const lines = [['authorization', authorization('valid', of.key, '') ?? ''], ...of.headers] as const;
          ledger.write({
            response,
            hidden,
            requestHeaders: shownHeaders(lines, 'valid', of.headers),
            rate: readRateLimit(response.headers, 0),
          } as unknown as Exchange);
        }
        ledger.close();
        const written = readFileSync(path, 'utf8');
        expect(revealedIn(written, of.secrets)).toEqual([]);
      }),
      cases(8),
    );
  },
  PATIENCE,
);
