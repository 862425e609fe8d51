import type { Parameter } from '../../model/contract.ts';

/** A value of a query parameter as the names and values of a query (OpenAPI `style`, `explode`); undefined if petspec cannot write it. */
export function inQuery(
  { name, style = 'form', explode = style === 'form' }: Parameter,
  value: unknown,
): [string, string][] | undefined {
  if (Array.isArray(value)) {
    const texts = value.map(scalar);
    if (!texts.every((each) => each !== undefined)) return undefined;
    if (explode) return texts.map((each) => [name, each]);
    const separator = SEPARATORS[style];
    return separator === undefined ? undefined : [[name, texts.join(separator)]];
  }
  const text = scalar(value);
  return text === undefined ? undefined : [[name, text]];
}

const SEPARATORS: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

/** A value of a path parameter as the text between two slashes, before it is percent-encoded; undefined if petspec cannot write it. */
export function inPath(
  { name, style = 'simple', explode = false }: Parameter,
  value: unknown,
): string | undefined {
  const texts = (Array.isArray(value) ? value : [value]).map(scalar);
  if (!texts.every((each) => each !== undefined)) return undefined;
  if (style === 'label') return `.${texts.join(explode ? '.' : ',')}`;
  if (style === 'matrix')
    return explode ? texts.map((each) => `;${name}=${each}`).join('') : `;${name}=${texts.join(',')}`;
  return texts.join(',');
}

function scalar(value: unknown): string | undefined {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : undefined;
}
