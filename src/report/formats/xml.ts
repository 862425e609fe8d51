import XMLBuilder from 'fast-xml-builder';

/** An element for {@link xmlOf}: `@` names are attributes, `#text` is the content, lists repeat an element. */
export interface XmlElement {
  [name: string]: string | number | XmlElement | XmlElement[];
}

/** A document of XML 1.0 in UTF-8. @param root the root element under its name */
export function xmlOf(root: XmlElement): string {
  return new XMLBuilder({
    attributeNamePrefix: '@',
    ignoreAttributes: false,
    // By default, value="true" becomes a bare `value`, which is not XML.
    suppressBooleanAttributes: false,
    format: true,
    suppressEmptyNode: true,
  }).build({ '?xml': { '@version': '1.0', '@encoding': 'UTF-8' }, ...root });
}
