/** A media type and its parameters, such as `version=2`, in lower case and without quotes for comparison. */
interface MediaType {
  type: string;
  parameters: readonly string[];
}

/**
 * Splits a media type at semicolons outside of quotes (RFC 9110 section 5.6.6). An unclosed quote extends to the end: backtracking at
 * every quote would take minutes for the longest header.
 */
export function partsOf(text: string): string[] {
  return (text.match(/(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^;"])+/gs) ?? [])
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Parses a media type or a media range (RFC 9110 section 8.3.1). */
export function mediaTypeOf(text: string): MediaType {
  const [type = '', ...parameters] = partsOf(text.toLowerCase());
  return {
    type,
    parameters: parameters.map((parameter) => withoutBlanks(parameter).replace(/^([^=]*=)"(.*)"$/, '$1$2')),
  };
}

/** A parameter without blanks around `=`. A regular expression would take quadratic time for runs of blanks. */
function withoutBlanks(parameter: string): string {
  const sign = parameter.indexOf('=');
  return sign < 0
    ? parameter
    : `${parameter.slice(0, sign).trimEnd()}=${parameter.slice(sign + 1).trimStart()}`;
}

/** Whether a media type is JSON (RFC 6839 section 3.1 for the suffix). */
export function isJson(mediaType: string): boolean {
  return /^(?:application|\*)\/(?:json|\*)$|^text\/json$|\+json$/.test(essence(mediaType));
}

/** A media type without its charset, which does not matter for the shape, and which JSON does not have (RFC 8259 section 11). */
export function withoutCharset(mediaType: string): string {
  const [type = '', ...parameters] = partsOf(mediaType);
  const others = parameters.filter((parameter) => !/^charset\s*=/i.test(parameter));
  return [type.toLowerCase(), ...others].join('; ');
}

/** A media type without its parameters, in lower case. */
export function essence(mediaType: string): string {
  return mediaTypeOf(mediaType).type;
}
