/** A response larger than this (bytes, before and after decompression) is not kept. */
export const MAX_BODY = 4 * 1024 * 1024;

/** Header sections up to this size (bytes) and number of lines are read; HTTP knows no limit (RFC 9110 section 5.4). */
export const MAX_HEADERS = 256 * 1024;
export const MAX_HEADER_LINES = 20_000;

/** Trailers, which nobody looks at, may be as large as this (bytes). */
export const MAX_TRAILERS = MAX_HEADERS;

/** Content codings of one body that are undone; one is usual. */
export const MAX_CODINGS = 4;

/** What a body, and all that a run keeps, may take up in memory once it is parsed (bytes, estimated). */
export const MAX_WEIGHT = 8 * 1024 * 1024;
export const MAX_KEPT_WEIGHT = 8 * 1024 * 1024;

/** Below this many bytes a response is kept however much a run has kept already. */
export const LIGHT = 64 * 1024;

/** Why a response, or its body, was not read. */
export const LARGER =
  'the response is larger than petspec reads ' +
  `(${MAX_BODY / 1024 / 1024} MiB of body, ${MAX_HEADERS / 1024} KiB and ${MAX_HEADER_LINES} lines of headers)`;
export const VALUES = 'the body holds more values than petspec reads';
export const KEPT = `this run holds ${MAX_KEPT_WEIGHT / 1024 / 1024} MiB of responses, and keeps no more large ones`;
