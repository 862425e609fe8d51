/** The largest body that is kept (bytes, before and after decompression). */
export const MAX_BODY = 4 * 1024 * 1024;

/** The largest head that is read (bytes, lines); HTTP has no limit (RFC 9110 section 5.4). */
export const MAX_HEADERS = 256 * 1024;
export const MAX_HEADER_LINES = 20_000;

/** The largest trailers (bytes). petspec does not use trailers. */
export const MAX_TRAILERS = MAX_HEADERS;

/** The most content codings of a body that is decoded; one is usual. */
export const MAX_CODINGS = 4;

/** The memory that a body, and all responses of a run, may take up once parsed (bytes, estimated). */
export const MAX_WEIGHT = 8 * 1024 * 1024;
export const MAX_KEPT_WEIGHT = 8 * 1024 * 1024;

/** Smaller responses are always kept (bytes). */
export const LIGHT = 64 * 1024;

/** Messages: why a response, or its body, was not read. */
export const LARGER =
  'the response is larger than petspec reads ' +
  `(${MAX_BODY / 1024 / 1024} MiB of body, ${MAX_HEADERS / 1024} KiB and ${MAX_HEADER_LINES.toLocaleString('en')} lines of headers)`;
export const VALUES = 'the body contains more values than petspec reads';
export const KEPT = `this run already holds ${MAX_KEPT_WEIGHT / 1024 / 1024} MiB of responses, and keeps no more large ones`;
