import { inspect } from 'node:util';

/** Ways in which a service may write a text that it was sent. */
export function spellingsOf(text: string): string[] {
  const bytes = [...Buffer.from(text)];
  const each = (write: (code: number) => string) => bytes.map(write).join('');
  const hex = (code: number) => code.toString(16).padStart(2, '0');
  const base64 = ['', 'x', 'xy'].map((before) => Buffer.from(`${before}${text}yz`).toString('base64'));
  return [
    text,
    text.toUpperCase(),
    encodeURIComponent(text),
    encodeURIComponent(encodeURIComponent(text)),
    each((code) => `%${hex(code)}`),
    each((code) => `%${hex(code).toUpperCase()}`),
    JSON.stringify(text).slice(1, -1),
    JSON.stringify(JSON.stringify(text)).slice(3, -3),
    each((code) => `\\u00${hex(code)}`),
    each((code) => `\\u00${hex(code).toUpperCase()}`),
    each((code) => `\\x${hex(code)}`),
    text.replaceAll('/', '\\/'),
    encodeURIComponent(text.replaceAll('/', '\\/')),
    encodeURIComponent(JSON.stringify(text).slice(1, -1)),
    encodeURIComponent(each((code) => `\\u00${hex(code)}`)),
    encodeURIComponent(each((code) => `&#x${hex(code)};`)),
    encodeURIComponent(encodeURIComponent(each((code) => `&#${code};`))),
    encodeURIComponent(text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')),
    text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&apos;'),
    each((code) => `&#${code};`),
    each((code) => `&#x${hex(code)};`),
    each(hex),
    each(hex).toUpperCase(),
    bytes.map(hex).join(' '),
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('base64url'),
    ...base64,
    ...base64.map((encoded) => encoded.replaceAll('+', '-').replaceAll('/', '_')),
    ...base64.map(encodeURIComponent),
    ...base64.map((encoded) => encoded.replaceAll('/', '\\/')),
    ...base64.flatMap((encoded) => ['', 'x', 'xy'].map((before) => btoa(`${before}${encoded}yz`))),
    btoa(Buffer.from(text).toString('base64url')),
    bytes.map((code) => `0x${hex(code)}`).join(', '),
    inspect(Buffer.from(text)),
    JSON.stringify(Buffer.from(text)),
    JSON.stringify(bytes, null, 2),
    inspect(new Uint8Array(bytes)),
    each((code) => `=${hex(code).toUpperCase()}`),
    softlyBroken(text),
  ];
}

/** Quoted-printable, in lines of five characters. */
function softlyBroken(text: string): string {
  const characters = [...text].map((each) =>
    /[=&"]/.test(each) ? `=${each.charCodeAt(0).toString(16)}` : each,
  );
  return characters.map((each, index) => (index % 5 === 4 ? `${each}=\r\n` : each)).join('');
}

/** Whether a text has a secret in it, whoever wrote it there and however. */
export function reveals(text: string, secret: string): boolean {
  return revealedIn(text, [secret]).length > 0;
}

/**
 * The secrets that a text has in it, whoever wrote them there and however. Independent of what petspec knows of
 * spellings: it undoes what can be undone, once for all of them, and looks for the secrets themselves.
 * @param times how many times over they may be in base64
 */
export function revealedIn(text: string, secrets: readonly string[], times = 2): string[] {
  const forms = formsOf(text);
  const found = new Set(secrets.filter((secret) => isIn(forms, secret)));
  for (const [isAnyShort, runs] of times > 0 ? RUNS : []) {
    const wanted = secrets.filter((secret) => !found.has(secret) && isShort(secret) === isAnyShort);
    if (wanted.length === 0) continue;
    for (const each of decoded(forms.base64, runs))
      for (const secret of revealedIn(each, wanted, times - 1)) found.add(secret);
  }
  return [...found];
}

/** So few characters may be in base64 by chance. */
const isShort = (secret: string) => secret.length < 12;

/** What may be base64 of a secret, by whether the secret is short. */
const RUNS: readonly (readonly [boolean, RegExp])[] = [
  [true, /[A-Za-z0-9+/]{6,}/g],
  [false, /[A-Za-z0-9+/]{20,}/g],
];

/** A text as secrets are looked for in it. Case makes no difference but in base64. */
function formsOf(text: string) {
  const plain = undone(text);
  const lower = plain.toLowerCase();
  return {
    sent: text.toLowerCase(),
    plain: lower,
    hex: lower.replace(/0x|[\s:,]/g, ''),
    listed: listed(plain).toLowerCase(),
    base64: plain.replaceAll('-', '+').replaceAll('_', '/'),
  };
}

function isIn({ sent, plain, hex, listed, base64 }: ReturnType<typeof formsOf>, secret: string): boolean {
  const wanted = secret.toLowerCase();
  if (sent.includes(wanted) || listed.includes(wanted)) return true;
  // Whose backslashes they are cannot be told: they go, here and there.
  if (plain.includes(wanted.replaceAll('\\', ''))) return true;
  if (hex.includes(Buffer.from(secret).toString('hex'))) return true;
  if (isShort(secret)) return false;
  return [0, 1, 2].some((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]).toString('base64');
    // Without the characters that depend on what stands before and after it.
    return base64.includes(encoded.slice(shift === 0 ? 0 : shift + 1, -4));
  });
}

/** The characters whose codes a text lists as numbers. */
function listed(text: string): string {
  return text.replace(/(?<!\d)\d+(?:[\s,]+\d+)+/g, (list) =>
    String.fromCharCode(...list.split(/[\s,]+/).map((code) => Number(code) % 0x10000)),
  );
}

/** What runs of base64 in a text say, wherever they begin. */
function decoded(text: string, runs: RegExp): string[] {
  return [...new Set(text.match(runs))].flatMap((run) =>
    [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1')),
  );
}

/** A text with its escapes undone, layer by layer. */
function undone(text: string): string {
  let plain = text;
  for (let layer = 0; layer < 4; layer += 1) {
    const before = plain;
    plain = plain
      .replace(/\\(?:u00|x)([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/=(?:\r\n|\\+r\\+n)/g, '')
      .replace(/=([2-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\\+[nrt](?=\s*\d)/g, ' ')
      .replace(/\\+(?!u)/g, '')
      .replace(/%([0-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/&#x0*([0-9a-f]{1,2});/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/&#0*(\d{1,3});/g, (_, code) => String.fromCharCode(Number(code)))
      .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: keyof typeof SIGNS) => SIGNS[name]);
    if (plain === before) break;
  }
  return plain;
}

const SIGNS = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
