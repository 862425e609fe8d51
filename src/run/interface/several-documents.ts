import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { digestOf, implying } from '../../contract/contract-from.ts';
import { readInterface } from '../../contract/load.ts';
import { isObject } from '../../contract/schema.ts';
import { type Contract, ContractError, type Operation } from '../../model/contract.ts';
import { inTurns } from '../../model/large/steps.ts';

/** One of several documents, by which ids are told apart. */
interface PartDocument {
  name: string;
  /** The end of the path of its base address. */
  base: string;
  contract: Contract;
}

/**
 * Reads documents of one origin as one interface. The ids of each begin with the name of its file, as in `users/getUser.200`, and its
 * operations are at an address of its own; that of the first is `baseUrl`.
 * @param texts files or folders, with the end of the path of the base address before them, as in `/v1=users.yaml`, if the document
 *   does not say it
 * @throws ContractError with one line
 */
export async function readInterfaces(texts: readonly string[]): Promise<Contract> {
  const parts: PartDocument[] = [];
  for (const text of texts) {
    const part = await partOf(text);
    if (parts.some(({ name }) => name === part.name))
      throw new ContractError(
        `two documents are called '${part.name}'; rename a file, as ids begin with its name`,
      );
    parts.push(part);
  }
  const [first] = parts as [PartDocument];
  const operations = parts.flatMap((each) => renamed(each, each === first));
  const addressOf = ({ name }: PartDocument) => (name === first.name ? 'baseUrl' : name);
  return {
    ...first.contract,
    title: parts.map(({ contract }) => contract.title).join(', '),
    digest: digestOf(parts.map(({ contract }) => contract.digest)),
    operations,
    bases: Object.fromEntries(parts.map((each) => [addressOf(each), each.base])),
    requirements: await inTurns(implying(operations)),
    newer: [],
    gaps: parts.flatMap(({ name, contract }) =>
      contract.gaps.map((gap) => ({ ...gap, reason: `${name}: ${gap.reason}` })),
    ),
    unjudged: parts.flatMap((part) =>
      (part.contract.unjudged ?? []).map((each) => ({
        ...each,
        address: placed(part, part === first, each),
      })),
    ),
  };
}

async function partOf(text: string): Promise<PartDocument> {
  const [, stated, rest] = existsSync(text) ? [] : (/^(\/[^=]*)=(.+)$/.exec(text) ?? []);
  const path = rest ?? text;
  const contract = await readInterface(path);
  if (contract.stated.length > 0)
    throw new ContractError(`${path}: it has a requirements.yaml; judge by it alone`);
  const file = contract.file ?? resolve(path);
  const own = basename(file).replace(/\.[^.]*$/, '');
  const name = /^(?:openapi|swagger|index)$/i.test(own) ? basename(dirname(file)) : own;
  return { name, base: (stated ?? contract.basePath ?? '').replace(/\/+$/, ''), contract };
}

/** The address of an operation of a document among others. */
function placed({ name }: PartDocument, isFirst: boolean, { address }: Pick<Operation, 'address'>): string {
  return address === 'baseUrl' && !isFirst ? name : address;
}

/** The operations of a document, with ids that no other one has. */
function renamed(part: PartDocument, isFirst: boolean): Operation[] {
  const rename = renaming(`${part.name}/`);
  return part.contract.operations.map((operation) => ({
    ...rename(operation),
    id: `${part.name}/${operation.id}`,
    section: `${part.name}: ${operation.section}`,
    address: placed(part, isFirst, operation),
  }));
}

/** Members that are an id, and those with values of the document, in which nothing is one. */
const IDS: ReadonlySet<string> = new Set(['requirement', 'bodyRequirement', 'x-component', 'operation']);
const VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Members whose own members have names of the document. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/** Puts a prefix before each id in what it gets. What is in several places, or in itself, is so in the result. */
function renaming(prefix: string): <Value>(value: Value) => Value {
  const known = new Map<object, unknown>();
  const rename = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const done = known.get(value);
    if (done !== undefined) return done;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      known.set(value, list);
      for (const each of value) list.push(rename(each));
      return list;
    }
    if (!isObject(value)) return value;
    const made: Record<string, unknown> = {};
    known.set(value, made);
    for (const [name, each] of Object.entries(value)) {
      const isOfDocument = BY_NAME.has(name) && isObject(each);
      made[name] = isOfDocument
        ? Object.fromEntries(Object.entries(each).map(([own, schema]) => [own, rename(schema)]))
        : renamedMember(name, each);
    }
    return made;
  };
  const renamedMember = (name: string, each: unknown): unknown => {
    if (VALUES.has(name)) return each;
    return IDS.has(name) && typeof each === 'string' ? prefix + each : rename(each);
  };
  return <Value>(value: Value) => rename(value) as Value;
}
