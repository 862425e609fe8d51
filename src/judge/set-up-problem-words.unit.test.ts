import { expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import { contractOf, operation, response } from '../../test/operations/operations.ts';
import type { HeaderLine, Received } from '../model/exchange.ts';
import { setUpProblem } from './set-up-problem.ts';

const contract = contractOf(
  ['things', 'shelves'].map((id) =>
    operation({ id, path: `/${id}`, responses: [response('200', { mediaType: 'application/json' })] }),
  ),
);

/** What is said if the first reads of a run, of these operations, get these answers. */
const messageOf = (answers: Readonly<Record<string, Received>>) =>
  setUpProblem(
    Object.entries(answers).map(([id, answer]) =>
      exchange({ operation: id, url: `https://api.example.com/${id}?page=1`, response: answer }),
    ),
    contract,
    'https://api.example.com',
  )?.message;

const answered = (status: number, headers: HeaderLine[] = [], body = ''): Received => ({
  status,
  headers,
  body,
});
const page = (status: number, body: string) =>
  answered(status, [['Content-Type', 'text/html']], `<!doctype html>\n${body}`);
const text = (status: number, body: string) => answered(status, [['Content-Type', 'text/plain']], body);
const moved = (status: number, to: string) => answered(status, [['Location', to]]);

const OFFER = `Upgrade to the ${'very '.repeat(12)}best plan`;
const LARGE: Received = { ...page(502, ''), body: '', unread: 'larger than petspec reads' };
const NOTICE = 'Our shop is closed, as we are out of office until next week.';
const SIGN_IN = page(200, '<title>Sign in</title><form><input type="password"></form>');

test.each<[what: string, things: Received, shelves: Received, got: string | undefined]>([
  ['two statuses: the lower one first', text(504, 'late'), text(502, 'down'), '502 or 504 text/plain "late"'],
  [
    'a heading with blanks inside',
    page(403, '<h1> Forbidden </h1>'),
    page(403, ''),
    '403 text/html "Forbidden"',
  ],
  ['a long line, cut', text(200, OFFER), text(200, OFFER), `200 text/plain "${OFFER.slice(0, 60)}…"`],
  ['a line of sixty characters, whole', text(200, NOTICE), text(200, NOTICE), `200 text/plain "${NOTICE}"`],
  [
    'sixty characters that are two units each, whole',
    text(200, '🔒'.repeat(60)),
    text(200, ''),
    `200 text/plain "${'🔒'.repeat(60)}"`,
  ],
  ['a page that was too large to read', LARGE, LARGE, '502 text/html'],
  [
    'a login page for one of them',
    page(200, '<h1>Hello</h1>'),
    SIGN_IN,
    'a login page (200 text/html "Hello")',
  ],
  ['a page where nobody signs in', page(200, '<h1>Hello</h1>'), page(200, ''), '200 text/html "Hello"'],
  [
    'one page elsewhere',
    moved(302, 'https://sso.example.com/login?to=things'),
    moved(302, 'https://sso.example.com/login?to=shelves'),
    'a redirect (302) to https://sso.example.com/login',
  ],
  [
    'the same paths elsewhere',
    moved(308, 'https://new.example.com/things?page=1'),
    moved(301, 'https://new.example.com/shelves?page=1'),
    'a redirect (301 or 308) to https://new.example.com',
  ],
  ['the same paths with a slash', moved(301, '/things/'), moved(301, '/shelves/'), undefined],
])('in place of the service comes %s', (_what, things, shelves, got) => {
  expect(messageOf({ things, shelves })).toBe(
    got && `no sign of the service: GET /things and GET /shelves got ${got}`,
  );
});
