/** A kind of file that users take for a recording or for an OpenAPI document. */
interface ForeignFile {
  name: string;
  /** Content that only such files have near or at their beginning. */
  has: RegExp | string;
  /** What to do with it. */
  advice?: string;
  isRecording?: true;
}

const UNPACK = 'unpack it first';

const KINDS: readonly ForeignFile[] = [
  { name: 'a ZIP archive', has: 'PK\u0003\u0004', advice: UNPACK },
  { name: 'a gzip file', has: '\u001f\ufffd', advice: UNPACK },
  // RFC 8878 section 3.1.1; an xz file begins with FD 37 7A 58 5A.
  { name: 'a zstd file', has: '(\ufffd/\ufffd', advice: `${UNPACK}, with zstd -d` },
  { name: 'an xz file', has: '\ufffd7zXZ', advice: UNPACK },
  { name: 'a bzip2 file', has: /^BZh[1-9]1AY/, advice: UNPACK },
  { name: 'a web page', has: /^\s*<(?:!doctype\s+html|html)\b/i },
  { name: 'a HAR', has: /^\s*\{\s*"log"\s*:\s*\{/, isRecording: true },
  {
    name: 'a report.json of petspec',
    has: /^\s*\{\s*"schemaVersion"\s*:\s*\d+\s*,\s*"suite"\s*:\s*\{\s*"name"\s*:\s*"petspec"/,
  },
  { name: 'a Postman environment', has: /"_postman_variable_scope"\s*:/ },
  {
    name: 'a Postman collection',
    has: /"_postman_id"\s*:|"schema"\s*:\s*"[^"]*postman\.com\/[^"]*collection/,
  },
  { name: 'an Insomnia export', has: /"__export_format"\s*:|^type:\s*\S*insomnia\.rest/m },
  { name: 'an OpenAPI document', has: /^openapi["']?\s*:|"openapi"\s*:\s*"3/m },
  { name: 'a Swagger document', has: /^swagger["']?\s*:|"swagger"\s*:\s*"2/m },
  { name: 'an AsyncAPI document', has: /^asyncapi["']?\s*:|"asyncapi"\s*:\s*"\d/m },
  {
    name: 'a Bruno request',
    has: /^meta \{\s*\n[\s\S]{0,2000}?^(?:get|post|put|patch|delete|head|options) \{/m,
  },
  { name: 'a curl command', has: /^\s*(?:\$\s+)?curl\s/ },
];

/** The files to give instead. */
export const EXPECTED = 'expected OpenAPI 3.0, 3.1 or 3.2, as YAML or JSON';

/** The length of the beginning that is searched, in characters. */
const MAX_LOOKED_AT = 64 * 1024;

/**
 * Names the kind of a file that is not the wanted one: `a Postman collection is not a recording`. Undefined if it is unknown.
 * @param text the beginning of the file
 * @param wanted what it should be, with its article
 */
export function foreignFile(
  text: string,
  wanted: 'a recording' | 'an OpenAPI document',
  expected: string,
): string | undefined {
  const beginning = text.slice(0, MAX_LOOKED_AT);
  const isWanted = ({ name, isRecording }: ForeignFile) =>
    wanted === 'a recording' ? isRecording === true : name === wanted;
  const kind = KINDS.find((candidate) => !isWanted(candidate) && isOfKind(candidate, beginning));
  return kind && `${kind.name} is not ${wanted}; ${kind.advice ?? expected}`;
}

function isOfKind({ has }: ForeignFile, beginning: string): boolean {
  return typeof has === 'string' ? beginning.startsWith(has) : has.test(beginning);
}
