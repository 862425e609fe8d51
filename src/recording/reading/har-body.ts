import { isObject } from '../../contract/schema.ts';
import { type HeaderLine, headerValue, type Received } from '../../model/exchange.ts';
import { codingsOf, decode } from '../../session/http/read-response.ts';
import { isLight, withinWeight } from '../../session/terms/memory-limit.ts';
import { CUT } from './value-builder.ts';

/** The fields of a body. */
type HarBody = Pick<Received, 'body' | 'undecodable' | 'unread'>;

/** A request or a response of a HAR, with its headers read. */
type HarMessage = Readonly<Record<string, unknown>> & { headers: readonly HeaderLine[] };

const UNREAD: HarBody = { body: '', unread: 'the recording does not have the whole body' };

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The body of a request: empty without a body, undefined if the recording does not have it as it was, or if it has more values
 * than petspec reads.
 */
export function requestBodyOf(request: HarMessage, isOwn: boolean): string | undefined {
  const { postData, bodySize, headers } = request;
  const size = typeof bodySize === 'number' ? bodySize : -1;
  const hasBody = !isOwn && hasLength(headers);
  if (!isObject(postData)) return size === 0 && !hasBody ? '' : undefined;
  if (typeof postData.text !== 'string' || (postData.text === '' && hasBody)) return undefined;
  const text = isBase64(postData.encoding) ? inUtf8(Buffer.from(postData.text, 'base64')) : postData.text;
  const isWhole = text !== undefined && (isOwn || !isLossy(text)) && Buffer.byteLength(text) >= size;
  return isWhole && isLight(text) ? text : undefined;
}

/** The body of a response. It is not read if the entry contradicts it, or if it has too many values. */
export function responseBodyOf(response: HarMessage & { status: number }, isOwn: boolean): HarBody {
  return withinWeight(recordedBodyOf(response, isOwn));
}

function recordedBodyOf(response: HarMessage & { status: number }, isOwn: boolean): HarBody {
  const { status, headers, content } = response;
  const { text, encoding, _undecodable, _unread, ...sizes } = isObject(content) ? content : {};
  const { size } = sizes;
  if (typeof _unread === 'string') return { body: '', unread: _unread };
  if (typeof _undecodable === 'string') return { body: '', undecodable: _undecodable };
  if (typeof text !== 'string')
    return status === 204 || (size === 0 && !hasBytes(response, isOwn)) ? { body: '' } : UNREAD;
  if (text === '' && status !== 204 && hasBytes(response, isOwn)) return UNREAD;
  if (isBase64(encoding) && !text.endsWith(CUT))
    return ofBytes(Buffer.from(text, 'base64'), { status, headers, sizes });
  // petspec records replacement characters only if they came.
  const isCut = (!isOwn && isLossy(text)) || text.endsWith(CUT) || isShorter(Buffer.byteLength(text), sizes);
  return isCut ? UNREAD : { body: text };
}

/** Whether an entry shows that a response had a body, recorded or not. */
function hasBytes({ headers, bodySize, content }: HarMessage, isOwn: boolean): boolean {
  if (isOwn) return false;
  const isUnknown =
    isObject(content) && content.text === '' && typeof content.size === 'number' && content.size < 0;
  return hasLength(headers) || (typeof bodySize === 'number' && bodySize > 0) || isUnknown;
}

function hasLength(headers: readonly HeaderLine[]): boolean {
  return /[1-9]/.test(headerValue(headers, 'Content-Length') ?? '');
}

function isBase64(encoding: unknown): boolean {
  return typeof encoding === 'string' && encoding.toLowerCase() === 'base64';
}

/** The bytes of a body. Some recorders leave them compressed, and compressed bytes are never UTF-8. */
function ofBytes(
  bytes: Buffer,
  { status, headers, sizes }: Pick<Received, 'status' | 'headers'> & { sizes: Sizes },
): HarBody {
  const text = inUtf8(bytes);
  if (text !== undefined) return isShorter(bytes.length, sizes) ? UNREAD : { body: text };
  const notUtf8: HarBody = { body: '', undecodable: 'the body is not UTF-8' };
  if (codingsOf(headers).length === 0) return isShorter(bytes.length, sizes) ? UNREAD : notUtf8;
  const { status: _status, headers: _headers, ...unpacked } = decode(status, headers, bytes);
  return unpacked.undecodable === undefined && !isShorter(Buffer.byteLength(unpacked.body), sizes)
    ? unpacked
    : UNREAD;
}

function inUtf8(bytes: Buffer): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether a text was cut or has lost characters. */
function isLossy(text: string): boolean {
  return text.endsWith(CUT) || text.includes('\u{fffd}');
}

/** The length of a body in a HAR; `compression` is what compressing it saved. */
type Sizes = Readonly<Record<string, unknown>>;

/**
 * Whether a body is shorter than its recorded size. A size in characters or of the compressed body is no larger than the text,
 * unless compressing made a short text longer: mitmproxy then records the larger size, and the difference.
 */
function isShorter(length: number, { size, compression }: Sizes): boolean {
  if (typeof size !== 'number' || length >= size) return false;
  return typeof compression !== 'number' || length !== size + compression;
}
