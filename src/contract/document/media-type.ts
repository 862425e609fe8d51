/** A media type and its parameters, such as `version=2`: without quotes, and in lower case, so that they can be compared. */
interface MediaType {
  type: string;
  parameters: readonly string[];
}

/** The parts of a media type, as they are written: a semicolon in quotes ends none (RFC 9110 section 5.6.6). */
export function partsOf(text: string): string[] {
  return (text.match(/(?:"(?:[^"\\]|\\.)*"|[^;])+/g) ?? [])
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Takes a media type or a range of them apart (RFC 9110 section 8.3.1). */
export function mediaTypeOf(text: string): MediaType {
  const [type = '', ...parameters] = partsOf(text.toLowerCase());
  return {
    type,
    parameters: parameters.map((each) => each.replace(/\s*=\s*/, '=').replace(/^([^=]*=)"(.*)"$/, '$1$2')),
  };
}
