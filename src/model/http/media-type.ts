/** A media type and its parameters, such as `version=2`: without quotes, and in lower case, so that they can be compared. */
interface MediaType {
  type: string;
  parameters: readonly string[];
}

/**
 * The parts of a media type, as they are written: a semicolon in quotes ends none (RFC 9110 section 5.6.6). Quotes that nothing
 * ends reach to the end: to read on behind each of them takes minutes for the longest header.
 */
export function partsOf(text: string): string[] {
  return (text.match(/(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^;"])+/gs) ?? [])
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Takes a media type or a range of them apart (RFC 9110 section 8.3.1). */
export function mediaTypeOf(text: string): MediaType {
  const [type = '', ...parameters] = partsOf(text.toLowerCase());
  return {
    type,
    parameters: parameters.map((each) => withoutBlanks(each).replace(/^([^=]*=)"(.*)"$/, '$1$2')),
  };
}

/** A parameter without blanks around its sign. A regular expression would look at each run of blanks from every one of them. */
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

/** A media type as a request names it. A charset says nothing of the shape, and JSON has none (RFC 8259 section 11). */
export function withoutCharset(mediaType: string): string {
  const [type = '', ...parameters] = partsOf(mediaType);
  return [type.toLowerCase(), ...parameters.filter((each) => !/^charset\s*=/i.test(each))].join('; ');
}

/** A media type without its parameters, in lower case. */
export function essence(mediaType: string): string {
  return mediaTypeOf(mediaType).type;
}
