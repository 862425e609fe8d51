import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { validateXML } from 'xmllint-wasm';

const require = createRequire(import.meta.url);

/** What libxml2 finds wrong with files of JUnit XML: none where they are well-formed and as test/schemas/junit.xsd says. */
export async function junitProblems(...files: readonly string[]): Promise<string[]> {
  const schema = readFileSync(new URL('../schemas/junit.xsd', import.meta.url), 'utf8');
  const { valid, errors } = await validateXML({
    xml: files.map((contents, index) => ({ fileName: `junit-${index}.xml`, contents })),
    schema: { fileName: 'junit.xsd', contents: schema },
  });
  return valid ? [] : errors.map(({ rawMessage }) => rawMessage.slice(0, 300));
}

let isHar: ValidateFunction | undefined;

/** What the schema of HAR 1.2 (package har-schema) finds wrong. */
export function harProblems(har: unknown): string[] {
  isHar ??= compileHar();
  isHar(har);
  return (isHar.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function compileHar(): ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'));
  const schemas = Object.values(require('har-schema')) as { $id?: string }[];
  for (const schema of schemas) ajv.addSchema(schema);
  const validate = ajv.getSchema('har.json#') ?? ajv.getSchema('har.json');
  if (!validate) throw new Error('har-schema has no har.json');
  return validate;
}

/** Markdown as GitHub makes HTML of it, with nothing taken out that would be dangerous. */
export function htmlOfMarkdown(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/** The elements of HTML that petspec's own Markdown makes. */
export const MARKDOWN_ELEMENTS: readonly string[] = [
  ...['code', 'details', 'h2', 'h3', 'h4', 'li', 'p', 'pre', 'strong', 'summary', 'ul'],
  ...['table', 'tbody', 'td', 'th', 'thead', 'tr'],
];

/** Names of the elements in HTML, each once. */
export function elementsOf(html: string): string[] {
  return [...new Set([...html.matchAll(/<([a-zA-Z!/?][^\s>/]*)/g)].map(([, name]) => String(name)))]
    .filter((name) => !name.startsWith('/'))
    .sort();
}
