/** Letters, digits, `-`, `.`, `_` and `~` mean the same with and without an escape (RFC 3986 section 2.3). */
export const NEEDLESS_ESCAPE = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;
