/** A response larger than this (bytes, before and after decompression) is not read to its end. */
export const MAX_BODY = 8 * 1024 * 1024;

/** Header sections up to this size are read (bytes); HTTP knows no limit (RFC 9110 section 5.4). */
export const MAX_HEADERS = 256 * 1024;
