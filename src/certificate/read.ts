import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { isObject } from '../contract/schema.ts';
import { ajvWith } from '../model/ajv.ts';
import type { Contract } from '../model/contract.ts';
import { endOfString } from '../model/json/json-text.ts';
import { isDeeper } from '../model/json.ts';
import { packageRoot } from '../model/package-root.ts';
import type { SelfCheckProof } from '../selfcheck/proof.ts';
import { type Envelope, isSealed, readEnvelope } from './signing.ts';
import {
  type Certified,
  type CertifiedArtifact,
  type CertifiedTarget,
  type ResourceDescriptor,
  type Statement,
  sha256,
  subjectsOf,
} from './statement.ts';

export interface Certificate {
  /** Missing if the certificate is not signed. */
  envelope?: Envelope;
  /** The statement as it was signed. */
  bytes: Buffer;
  statement: Statement;
  certified: Certified;
}

/** The schema of a statement. It ignores unknown keys, as the parsing rules of in-toto demand. */
const SCHEMA = join(packageRoot, 'assets', 'certificate.schema.json');
let compiled: ValidateFunction<Statement> | undefined;

/** Levels of nesting: deeper than any certificate, and shallow enough to compare and serialize. */
const MAX_DEPTH = 64;
const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`;

function statementValidator(): ValidateFunction<Statement> {
  compiled ??= ajvWith({ strict: true }).compile<Statement>(JSON.parse(readFileSync(SCHEMA, 'utf8')));
  return compiled;
}

/**
 * Reads a certificate: a statement, or an envelope with a statement. Checks only that its parts match each other.
 * @returns the certificate, or why it is not valid
 */
export function readCertificate(file: Uint8Array): Certificate | string {
  const certificate = readParts(file);
  if (typeof certificate === 'string') return certificate;
  const { bytes, statement } = certificate;
  const documents = ['target', 'options'].map((name) =>
    Buffer.from(partOf(statement, name)?.content ?? '', 'base64'),
  );
  const name = [file, bytes, ...documents].map(repeatedName).find((repeated) => repeated !== undefined);
  return name === undefined ? certificate : `duplicate JSON key ${JSON.stringify(name)} in one object`;
}

/** In bytes: larger than any certificate. */
const MAX_BYTES = 4 * 1024 * 1024;

function readParts(file: Uint8Array): Certificate | string {
  if (file.length > MAX_BYTES) return 'too large';
  const value = parse(file);
  if (!isObject(value)) return 'not a JSON object';
  if (!isSealed(value)) return readStatement(Buffer.from(file), value);
  const envelope = readEnvelope(value);
  if (typeof envelope === 'string') return envelope;
  const read = readStatement(envelope.payload, parse(envelope.payload));
  return typeof read === 'string' ? read : { ...read, envelope };
}

function readStatement(bytes: Buffer, value: unknown): Certificate | string {
  if (isDeeper(value, MAX_DEPTH)) return `the statement is ${TOO_DEEP}`;
  const isStatement = statementValidator();
  if (!isStatement(value)) {
    const [first] = isStatement.errors ?? [];
    return `not a certificate of petspec: ${first?.instancePath || 'it'} ${first?.message}`;
  }
  const certified = certifiedBy(value);
  return typeof certified === 'string' ? certified : { bytes, statement: value, certified };
}

/** The contents of a statement, or why a part is missing or does not match its digest. */
function certifiedBy(statement: Statement): Certified | string {
  const { predicate } = statement;
  const part = (name: string) => partOf(statement, name);
  const target = documentIn(part('target'));
  const options = documentIn(part('options'));
  for (const [name, value] of Object.entries({ target, options }))
    if (isDeeper(value, MAX_DEPTH)) return `the document '${name}' is ${TOO_DEEP}`;
  if (!isTarget(target)) return 'the target does not match its digest';
  if (!isObject(options)) return 'the options do not match their digest';
  const version = /^pkg:npm\/petspec@(.+)$/.exec(part('petspec')?.uri ?? '')?.[1];
  const specDigest = part('interface')?.digest?.sha256;
  const set = part('requirements');
  const reportDigest = part('report.json')?.digest?.sha256;
  const { version: specVersion } = part('interface')?.annotations ?? {};
  const selfCheck = selfCheckIn(part('self-check'));
  const { version: setVersion, count, unexercised } = set?.annotations ?? {};
  if (
    version === undefined ||
    specDigest === undefined ||
    set?.digest?.sha256 === undefined ||
    reportDigest === undefined ||
    typeof specVersion !== 'string' ||
    typeof setVersion !== 'string' ||
    typeof count !== 'number' ||
    !isTexts(unexercised)
  )
    return 'it does not say which petspec, interface and requirements it was judged by';
  const { petspec, subject: subjects, ...rest } = options;
  if (petspec !== version) return 'it names two versions of petspec';
  return {
    subjects: Array.isArray(subjects) ? (subjects as CertifiedArtifact[]) : [],
    target,
    options: rest,
    suite: {
      version,
      specVersion,
      specDigest,
      set: { version: setVersion, requirements: count, digest: set.digest.sha256 },
    },
    ...(selfCheck ? { selfCheck } : {}),
    reportDigest,
    passed: predicate.passedTests,
    warned: predicate.warnedTests,
    unexercised,
  };
}

/** The self-check that a statement names. A missing figure becomes -1, which no self-check has. */
function selfCheckIn(part: ResourceDescriptor | undefined): SelfCheckProof | undefined {
  if (!part) return undefined;
  const figure = (name: string) => Number(part.annotations?.[name] ?? -1);
  return {
    digest: part.digest?.sha256 ?? '',
    seed: figure('seed'),
    faults: figure('faults'),
    found: figure('found'),
    variants: figure('variants'),
    passed: figure('passed'),
  };
}

function partOf({ predicate }: Statement, name: string): ResourceDescriptor | undefined {
  return predicate.configuration.find((part) => part.name === name);
}

/** The document in a descriptor, if it matches its digest. */
function documentIn(part: ResourceDescriptor | undefined): unknown {
  const bytes = Buffer.from(part?.content ?? '', 'base64');
  const isOfDigest = bytes.toString('base64') === part?.content && sha256(bytes) === part.digest?.sha256;
  return isOfDigest ? parse(bytes) : undefined;
}

function isTarget(value: unknown): value is CertifiedTarget {
  if (!isObject(value)) return false;
  const { kind, baseUrl, apiUrl, plan, startedAt, finishedAt } = value;
  return (
    (kind === 'service' || kind === 'bundled reference') &&
    typeof baseUrl === 'string' &&
    [apiUrl, plan].every((text) => text === null || typeof text === 'string') &&
    [startedAt, finishedAt].every((text) => typeof text === 'string' && !Number.isNaN(Date.parse(text)))
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/**
 * The first name that an object of a JSON text has twice: parsers disagree about which of the two members counts.
 * @param json well-formed JSON in UTF-8
 */
export function repeatedName(json: Uint8Array): string | undefined {
  const text = Buffer.from(json).toString();
  const objects: Set<string>[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '{') objects.push(new Set());
    else if (character === '}') objects.pop();
    else if (character === '"') {
      const end = endOfString(text, index);
      const names = objects.at(-1);
      if (names && isBeforeColon(text, end + 1)) {
        const name: string = JSON.parse(text.slice(index, end + 1));
        if (names.has(name)) return name;
        names.add(name);
      }
      index = end;
    }
  }
  return undefined;
}

function isBeforeColon(text: string, from: number): boolean {
  let index = from;
  while (/[ \t\r\n]/.test(text[index] ?? '')) index += 1;
  return text[index] === ':';
}

/** Why petspec does not certify runs with these options, by name of the option in a statement. */
const NOT_CERTIFIED: Readonly<Record<string, string>> = {
  only: '--only narrowed the run',
  readOnly: '--read-only narrowed the run',
  sharedKey: 'others used the key during the run (--shared-key)',
  insecure: 'the run did not verify the certificate of the target (--insecure)',
  baseline: 'the run used a baseline of known violations',
};

/** The contradictions in a statement, one line each. `petspec certify` never writes such a statement. */
export function contradictionsOf(
  { statement, certified }: Certificate,
  { operations }: Pick<Contract, 'operations'>,
): string[] {
  const { target, options, warned } = certified;
  const { subject, predicate } = statement;
  const problems = Object.entries(NOT_CERTIFIED)
    .filter(([option]) => isSet(options[option]) || (option === 'insecure' && isSet(target.insecure)))
    .map(([, problem]) => problem);
  const { exhaust = 'minute' } = options;
  if (exhaust !== 'minute' && exhaust !== 'day') problems.push('--no-exhaust narrowed the run');
  if (target.apiUrl === null && operations.some(({ address }) => address === 'apiUrl'))
    problems.push('the run did not test the message API (--api-url)');
  if (Date.parse(target.finishedAt) < Date.parse(target.startedAt))
    problems.push(`the run ended (${target.finishedAt}) before it began (${target.startedAt})`);
  if (JSON.stringify(subject) !== JSON.stringify(subjectsOf(certified)))
    problems.push('the subject differs from the one in the options');
  if (predicate.result !== 'FAILED' && (predicate.result === 'WARNED') !== warned.length > 0)
    problems.push('the result does not match the tests');
  const names = predicate.configuration.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) problems.push(`the configuration has two parts named '${duplicate}'`);
  return problems;
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && value !== null;
}
