import { createHmac } from 'node:crypto';
import { isSomeInside } from '../../contract/document/unjudged.ts';
import { shapedBodies } from '../../contract/requirements.ts';
import { isObject } from '../../contract/schema.ts';
import type { Contract, Schema } from '../../model/contract.ts';
import type { HeaderLine, Received } from '../../model/exchange.ts';
import { percentDecoded } from '../../model/http/percent-encoding.ts';
import { endOfString, isName } from '../../model/json/json-text.ts';
import { remembering } from '../../model/remembering.ts';
import { isSecretName } from '../../secrets/secret-name.ts';
import { disguised } from '../../secrets/stand-in.ts';
import { isPublic } from './sent-secrets.ts';

/** The bodies of an exchange. */
interface Bodies {
  requestBody?: string | undefined;
  response?: Received | undefined;
}

/** Limits for secrets of bodies that are searched for in the rest of their exchange: a body may consist of secrets. */
const MAX_SOUGHT = 50;
const MAX_LENGTH = 1_000;

/** An exchange without the secrets of its bodies, and these secrets by name. */
export interface Hidden<T> {
  shown: T;
  secrets: HeaderLine[];
}

/**
 * Replaces the texts of members with secret names, such as `password`, in JSON and in forms. Everything else stays as it is, to
 * the letter. Equal texts get equal replacements.
 * @param stays whether a text stays despite the name of its member
 */
export function memberHider(
  contract: Contract,
  secret: Buffer,
  stays: (text: string) => boolean = () => false,
): <T extends Bodies>(exchange: T) => Hidden<T> {
  const kindOf = memberKinds(contract);
  return (exchange) => {
    const secrets: HeaderLine[] = [];
    const replaced = (name: string, value: string): string | undefined => {
      const kind = kindOf(name);
      if (kind === 'public' || value === '' || stays(value)) return undefined;
      if (secrets.length < MAX_SOUGHT && value.length <= MAX_LENGTH) secrets.push([name, value]);
      return replacement(kind, value, secret);
    };
    const body = (text: string) => (/^\s*[[{"]/.test(text) ? inJson(text, replaced) : inForm(text, replaced));
    const { requestBody, response } = exchange;
    const shown = {
      ...exchange,
      requestBody: requestBody && body(requestBody),
      response: response && { ...response, body: body(response.body) },
    };
    return { shown, secrets };
  };
}

/** Returns the replacement of a value; undefined if it stays. */
type Replace = (name: string, value: string) => string | undefined;

/** The interface may restrict the length and the characters of a text, so its replacement has the same. */
function replacement(kind: Exclude<MemberKind, 'public'>, value: string, secret: Buffer): string {
  if (kind === 'restricted') return disguised(value, secret);
  return `redacted-${createHmac('sha256', secret).update(value).digest('hex').slice(0, 8)}`;
}

/** The text need not be valid JSON: a truncated one has secrets, too. */
function inJson(text: string, replace: Replace): string {
  let result = '';
  let done = 0;
  // Texts in a list belong to the member that has the list; an object has its own members.
  let name: string | undefined;
  let isInList = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '[') isInList = name !== undefined;
    if (character === ',' && !isInList) name = undefined;
    if (character === '{' || character === '}' || character === ']') [name, isInList] = [undefined, false];
    if (character !== '"') continue;
    const end = endOfString(text, index);
    if (isName(text, end + 1)) [name, isInList] = [decoded(text.slice(index, end + 1)), false];
    else if (name !== undefined) {
      const shown = replace(name, decoded(text.slice(index, end + 1)));
      if (shown !== undefined) {
        result += text.slice(done, index) + JSON.stringify(shown);
        done = end + 1;
      }
    }
    index = end;
  }
  return result + text.slice(done);
}

/** The text of a JSON string. */
function decoded(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1).replace(/"$/, '');
  }
}

/** Replaces values of a form (application/x-www-form-urlencoded); another text stays as it is. */
function inForm(text: string, replace: Replace): string {
  const [, form, end = ''] = FORM.exec(text) ?? [];
  if (form === undefined) return text;
  const shown = form
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      const shown = replace(fromForm(name), fromForm(pair.slice(name.length + 1)));
      return shown === undefined ? pair : `${name}=${encodeURIComponent(shown)}`;
    })
    .join('&');
  return shown + end;
}

/** Some clients do not encode braces and quotes, and a file ends with a line break. */
const FORM = /^([^\s<>{}"=&]+=[^\s<>]*)(\s*)$/;

function fromForm(text: string): string {
  return percentDecoded(text.replaceAll('+', ' '));
}

/**
 * Whether the texts of a member are secrets. `restricted`: they are, and the interface may restrict them; `free`: they are, and
 * are not judged.
 */
type MemberKind = 'public' | 'restricted' | 'free';

/** Names that are public in a body: keys of errors and of lists, and where the next page begins. */
const USUAL = /^keys?$|page|next|cursor|continuation|sync/i;

/** Values of paths are in the URL as well, and must stay. */
const ID = /(?:^|[_-])id$|Id$/;

/** Characters of the names that are remembered. */
const REMEMBERED = 100_000;

/** The kind of a body member by its name. */
function memberKinds(contract: Pick<Contract, 'operations'>): (name: string) => MemberKind {
  const { publicFields, hasMaps } = describedIn(contract);
  const inPaths = new Set(
    contract.operations.flatMap(({ parameters }) =>
      parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    ),
  );
  return remembering((name) => {
    if (!isSecretName(name) || USUAL.test(name)) return 'public';
    const isPublicField = publicFields.get(name);
    if (isPublicField === undefined) return hasMaps ? 'restricted' : 'free';
    return isPublicField || ID.test(name) || inPaths.has(name) ? 'public' : 'restricted';
  }, REMEMBERED);
}

/** Whether the fields of bodies are public, by name, and whether objects may have fields of any name. */
function describedIn({ operations }: Pick<Contract, 'operations'>) {
  const publicFields = new Map<string, boolean>();
  let hasMaps = false;
  const look = ({ properties, patternProperties, additionalProperties }: Schema) => {
    for (const [name, field] of Object.entries(properties ?? {}))
      publicFields.set(name, publicFields.get(name) === true || isPublic(field));
    hasMaps ||= patternProperties !== undefined || isObject(additionalProperties);
    return false;
  };
  const schemas = operations.flatMap(({ body, responses }) => [
    body?.schema,
    ...responses.flatMap(shapedBodies).map(({ schema }) => schema),
  ]);
  // As one schema, so that a component is looked at once.
  isSomeInside({ anyOf: schemas.filter((schema) => schema !== undefined) }, look);
  return { publicFields, hasMaps };
}
