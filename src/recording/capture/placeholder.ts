/** Characters that no token has (RFC 6750 section 2.1), and with which recorders and templates mark what is left out. */
const MARKS = /[*[\]<>{}…•█]|\.{3}|^\$|^%.*%$/u;

/** One character over and over, and `x` in place of a part. */
const REPEATED = /^(.)\1*$|x{4}/iu;

/** Words that say that something was left out. */
const LEFT_OUT =
  /(?:^|[^a-z])(?:redacted|hidden|masked|removed|filtered|censored|sanitized|scrubbed|obfuscated|anonymized|omitted|placeholder)(?![a-z])/i;

/** What a key is, in place of a key: `YOUR_API_KEY`. The ledger of petspec proxy has `petspec-another-key` for several. */
const NAMES =
  /^_*(?:(?:your|my|the|some)[-_ ]?)?(?:(?:api|access|auth|bearer)[-_ ]?)?(?:key|token|secret|jwt)_*$|^petspec-another-key$/i;

/** Whether a text stands in a recording in place of a key: it may stand for several, so it does not tell keys apart. */
export function isPlaceholder(text: string): boolean {
  return [MARKS, REPEATED, LEFT_OUT, NAMES].some((each) => each.test(text));
}
