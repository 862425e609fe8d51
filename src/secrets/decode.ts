/**
 * A character as JSON, JavaScript, a URL or HTML escapes it. Backslashes, `%25` and `&amp;` before it come from escaping it
 * several times. Every repetition of a group is bounded, because the text may come from a hostile target.
 */
const ESCAPE = new RegExp(
  [
    '\\\\+(?:u([\\da-f]{4})|x([\\da-f]{2})|u\\{0{0,9}([\\da-f]{1,6})\\}|([bfnrt]))?',
    '%(?:25){0,9}([\\da-f]{2})',
    '&(?:amp;){0,9}(?:(?:#x0{0,9}([\\da-f]{1,6})|#0{0,9}(\\d{1,7}));?|(amp|lt|gt|quot|apos);)',
  ].join('|'),
  'gi',
);

const NAMED: Readonly<Record<string, string>> = {
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
};

/** A text without one layer of escapes; backslashes before other characters go as well. */
export function unescaped(text: string): string {
  if (!/[\\%&]/.test(text)) return text;
  return text.replace(ESCAPE, characterOf);
}

/** The character that an escape stands for; the parameters are the groups of {@link ESCAPE}. */
function characterOf(
  _escape: string,
  unit?: string,
  byte?: string,
  braced?: string,
  control?: string,
  percent?: string,
  hex?: string,
  decimal?: string,
  entity?: string,
): string {
  const name = control ?? entity;
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? '';
  const digits = unit ?? byte ?? braced ?? percent ?? hex;
  if (digits === undefined && decimal === undefined) return '';
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}

/** A text without the escapes and the soft line breaks of quoted-printable (RFC 2045 section 6.7). */
export function fromQuotedPrintable(text: string): string {
  return text.replace(/=(?:([\da-f]{2})|[\r\n]+)/gi, (_, hex?: string) =>
    hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/**
 * Decodes the bytes that a text writes in hexadecimal, as a list of numbers or in base64. Returns lines in latin1: one for each
 * run, and for each place in the run where a byte may begin.
 * @param fewest bytes of the shortest run of interest
 */
export function byteDecoder(fewest: number): (text: string) => string[] {
  const decoders = [hexDecoder(fewest), numberDecoder(fewest), base64Decoder(fewest)];
  return (text) => decoders.flatMap((decode) => decode(text));
}

type Decode = (text: string) => string[];

/** Hexadecimal with or without separators: `7065`, `70:65`, `<Buffer 70 65>`, `0x70, 0x65`. */
function hexDecoder(fewest: number): Decode {
  const runs = runsOf('\\da-fx :,-', 2 * fewest);
  const digits = runsOf('\\da-f', 2 * fewest);
  return (text) =>
    (text.match(runs) ?? [])
      .flatMap((run) => run.replace(/[ :,-]{1,9}(?:0x)?/gi, '').match(digits) ?? [])
      .flatMap((run) => [run, run.slice(1)])
      .map((run) => Buffer.from(run, 'hex').toString('latin1'));
}

/** A list of numbers, also over several lines: `[112,101]`. */
function numberDecoder(fewest: number): Decode {
  const runs = runsOf('\\d\\s,', 2 * fewest - 1);
  return (text) =>
    (text.match(runs) ?? []).map((run) => Buffer.from(run.split(/[\s,]+/).map(Number)).toString('latin1'));
}

/** Base64 in either alphabet (RFC 4648 sections 4 and 5), also in lines, as in a mail (RFC 2045 section 6.8). */
function base64Decoder(fewest: number): Decode {
  const shortest = Math.ceil((fewest * 4) / 3);
  const runs = runsOf('\\w+/-', shortest);
  const lines = runsOf('\\w+/\\r\\n-', shortest);
  return (text) => {
    const brokenRuns = (text.match(lines) ?? []).filter((run) => /\w[\r\n]+\w/.test(run));
    const encodedRuns = [
      ...(text.match(runs) ?? []),
      ...brokenRuns.map((run) => run.replaceAll(/[\r\n]+/g, '')),
    ];
    if (encodedRuns.length === 0) return [];
    // Decoded all at once, which is faster: each run is padded with zeros and ends with line breaks (`CgoK`).
    const joined = encodedRuns.map((run) => `${run.padEnd(Math.ceil(run.length / 4) * 4, 'A')}CgoK`).join('');
    return [0, 1, 2, 3].map((start) => Buffer.from(joined.slice(start), 'base64').toString('latin1'));
  };
}

/** A pattern for runs of at least so many of these characters. */
export function runsOf(characters: string, fewest: number): RegExp {
  // No match begins inside a run. `{n,}` would overflow the stack of the engine at some megabytes.
  return new RegExp(`(?<![${characters}])[${characters}]{${fewest}}[${characters}]*`, 'gi');
}

/** A pattern for exactly this text. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
