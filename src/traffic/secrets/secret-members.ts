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
import { isPublic } from './secret-headers.ts';

/** An exchange with what it says in its bodies. */
interface Bodies {
  requestBody?: string | undefined;
  response?: Received | undefined;
}

/** So many secrets of bodies, and no longer ones, are looked for in the rest of their exchange: a body may be nothing else. */
const MAX_SOUGHT = 50;
const MAX_LENGTH = 1_000;

/** What bodies say without the secrets in them, and these secrets by their names. */
export interface Hidden<T> {
  shown: T;
  secrets: HeaderLine[];
}

/**
 * Replaces the texts of members whose names say that they are secret, such as `password`, in JSON and in forms. Everything
 * else stays as it is, to the letter. Equal texts are replaced by equal ones.
 * @param stays whether a text stays although its name says that it is secret
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

/** Gives the replacement of a value; undefined if it stays. */
type Replace = (name: string, value: string) => string | undefined;

/** What the interface says of a text may restrict its length and its characters, so what replaces it has the same. */
function replacement(kind: Exclude<MemberKind, 'public'>, value: string, secret: Buffer): string {
  if (kind === 'restricted') return disguised(value, secret);
  return `redacted-${createHmac('sha256', secret).update(value).digest('hex').slice(0, 8)}`;
}

/** The text need not be valid JSON: one that was cut has secrets, too. */
function inJson(text: string, replace: Replace): string {
  let result = '';
  let done = 0;
  // The texts of a list are those of the member that has it; an object has members of its own.
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

/** What a text of JSON says. */
function decoded(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1).replace(/"$/, '');
  }
}

/** A form (application/x-www-form-urlencoded), or another text, which stays as it is. */
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

/** Some write braces and quotes as they are, and a file ends with a line break. */
const FORM = /^([^\s<>{}"=&]+=[^\s<>]*)(\s*)$/;

function fromForm(text: string): string {
  return percentDecoded(text.replaceAll('+', ' '));
}

/**
 * Whether the texts of a member are secrets. `restricted`: they are, and the interface says something of them; `free`: they
 * are, and nothing is judged of them.
 */
type MemberKind = 'public' | 'restricted' | 'free';

/** Names that are no secrets in a body: a part of an error or of a list, and where the next page begins. */
const USUAL = /^keys?$|page|next|cursor|continuation|sync/i;

/** What a path has is in the URL as well, and has to stay what it is. */
const ID = /(?:^|[_-])id$|Id$/;

/** Characters of names whose kinds are known. */
const REMEMBERED = 100_000;

/** Tells the kind of a member of a body by its name. */
function memberKinds(contract: Pick<Contract, 'operations'>): (name: string) => MemberKind {
  const { publicFields, hasMaps } = describedIn(contract);
  const inPaths = new Set(
    contract.operations.flatMap(({ parameters }) =>
      parameters.filter((each) => each.in === 'path').map(({ name }) => name),
    ),
  );
  return remembering((name) => {
    if (!isSecretName(name) || USUAL.test(name)) return 'public';
    const isPublicField = publicFields.get(name);
    if (isPublicField === undefined) return hasMaps ? 'restricted' : 'free';
    return isPublicField || ID.test(name) || inPaths.has(name) ? 'public' : 'restricted';
  }, REMEMBERED);
}

/** Whether the fields of bodies are public, by their names, and whether there are objects whose fields may have any name. */
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
  isSomeInside({ anyOf: schemas.filter((each) => each !== undefined) }, look);
  return { publicFields, hasMaps };
}
