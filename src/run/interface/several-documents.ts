import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { digestOf, implying } from '../../contract/contract-from.ts';
import { readInterface } from '../../contract/load.ts';
import { isObject } from '../../contract/schema.ts';
import { type Contract, ContractError, type Operation } from '../../model/contract.ts';
import { inTurns } from '../../model/large/steps.ts';

/** One of several documents; its name tells its ids from those of the others. */
interface PartDocument {
  name: string;
  /** The end of the path of its base address. */
  base: string;
  contract: Contract;
}

/**
 * Reads documents of one origin as one interface. The ids of a document begin with its file name, as in `users/getUser.200`, and its
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
  const operations = parts.flatMap((part) => renamed(part, part === first));
  const addressOf = ({ name }: PartDocument) => (name === first.name ? 'baseUrl' : name);
  return {
    ...first.contract,
    title: parts.map(({ contract }) => contract.title).join(', '),
    digest: digestOf(parts.map(({ contract }) => contract.digest)),
    operations,
    bases: Object.fromEntries(parts.map((part) => [addressOf(part), part.base])),
    requirements: await inTurns(implying(operations)),
    newer: [],
    gaps: parts.flatMap(({ name, contract }) =>
      contract.gaps.map((gap) => ({ ...gap, reason: `${name}: ${gap.reason}` })),
    ),
    unjudged: parts.flatMap((part) =>
      (part.contract.unjudged ?? []).map((operation) => ({
        ...operation,
        address: placed(part, part === first, operation),
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
  const stem = basename(file).replace(/\.[^.]*$/, '');
  const name = /^(?:openapi|swagger|index)$/i.test(stem) ? basename(dirname(file)) : stem;
  return { name, base: (stated ?? contract.basePath ?? '').replace(/\/+$/, ''), contract };
}

/** The address of an operation in a document among others. */
function placed({ name }: PartDocument, isFirst: boolean, { address }: Pick<Operation, 'address'>): string {
  return address === 'baseUrl' && !isFirst ? name : address;
}

/** The operations of a document, with ids that no other document has. */
function renamed(part: PartDocument, isFirst: boolean): Operation[] {
  const rename = renaming(`${part.name}/`);
  return part.contract.operations.map((operation) => ({
    ...rename(operation),
    id: `${part.name}/${operation.id}`,
    section: `${part.name}: ${operation.section}`,
    address: placed(part, isFirst, operation),
  }));
}

/** Members that are ids, and members with values of the document, which hold no ids. */
const IDS: ReadonlySet<string> = new Set(['requirement', 'bodyRequirement', 'x-component', 'operation']);
const VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Members whose own members have names of the document. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/** Puts a prefix before each id in a value. Objects that the value shares, or cycles, are so in the result. */
function renaming(prefix: string): <Value>(value: Value) => Value {
  const renamedObjects = new Map<object, unknown>();
  const rename = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const before = renamedObjects.get(value);
    if (before !== undefined) return before;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      renamedObjects.set(value, list);
      for (const entry of value) list.push(rename(entry));
      return list;
    }
    if (!isObject(value)) return value;
    const result: Record<string, unknown> = {};
    renamedObjects.set(value, result);
    for (const [name, member] of Object.entries(value)) {
      const isOfDocument = BY_NAME.has(name) && isObject(member);
      result[name] = isOfDocument
        ? Object.fromEntries(Object.entries(member).map(([property, schema]) => [property, rename(schema)]))
        : renamedMember(name, member);
    }
    return result;
  };
  const renamedMember = (name: string, member: unknown): unknown => {
    if (VALUES.has(name)) return member;
    return IDS.has(name) && typeof member === 'string' ? prefix + member : rename(member);
  };
  return <Value>(value: Value) => rename(value) as Value;
}
