/** What is wrong with the head of a response, by the first rule of RFC 9112 that it breaks, in words. */
const RULES: readonly (readonly [pattern: RegExp | string, words: string])[] = [
  [/^(?!HTTP\/)/, 'it does not begin with HTTP/'],
  [/^(?!HTTP\/1\.[01] )/, 'its version is neither HTTP/1.0 nor HTTP/1.1'],
  [/^HTTP\/1\.\d (?![1-9]\d\d(?:[ \r\n]|$))/, 'its status is no number from 100 to 999'],
  [/^HTTP\/1\.\d 101/, 'it switches to another protocol (101), which was not asked for'],
  ['\0', 'its head holds a NUL byte'],
  [/(?:^|[^\r])\n/, 'a line of its head ends by a line feed alone'],
  [/\r(?!\n)/, 'a line of its head holds a carriage return'],
  [/\n[ \t]/, 'a header is folded over two lines'],
  [/\n:/, 'a header has no name'],
  [/\n[!-9;-~]*[ \t]+:/, 'a blank stands before the colon of a header'],
  [/\n(?!\r?\n)[^:\n]+\n/, 'a line of its head is no header'],
];

/**
 * Why a head is no HTTP (RFC 9112 sections 2 to 6); undefined where it is as far as this tells.
 * @param head from the status line to the empty line, as latin1
 */
export function wrongWithHead(head: string): string | undefined {
  const text = head.trimStart();
  return (
    RULES.find(([pattern]) =>
      typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text),
    )?.[1] ?? wrongWithLength(text)
  );
}

/** Whether the bytes are a record of TLS (RFC 8446 section 5.1): the address says http where https is spoken. */
export function isTls(head: string): boolean {
  const [type = 0, version = 0] = Buffer.from(head.slice(0, 2), 'latin1');
  return type >= 0x14 && type <= 0x17 && version === 0x03;
}

/** Contradictions about where the body ends (RFC 9112 section 6.3). */
function wrongWithLength(text: string): string | undefined {
  const lengths = [...text.matchAll(/\ncontent-length:([^\r\n]*)/gi)]
    .flatMap(([, value = '']) => value.split(','))
    .map((each) => each.trim());
  if (new Set(lengths).size > 1) return 'it states two Content-Lengths';
  const [length] = lengths;
  if (length === undefined) return undefined;
  if (!/^\d+$/.test(length)) return 'its Content-Length is no number';
  if (!Number.isSafeInteger(Number(length))) return 'its Content-Length is a length that nothing has';
  return /\ntransfer-encoding:/i.test(text)
    ? 'it states both a Content-Length and a Transfer-Encoding'
    : undefined;
}
