import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { isObject } from '../contract/schema.ts';
import { ajvWith } from '../model/ajv.ts';
import { isDeeper } from '../model/json.ts';
import { packageRoot } from '../model/package-root.ts';
import { type Envelope, isSealed, readEnvelope } from './envelope.ts';
import { repeatedName } from './repeated-name.ts';
import {
  type Certified,
  type CertifiedTarget,
  type ResourceDescriptor,
  type Statement,
  type Subject,
  sha256,
} from './statement.ts';

/** A certificate: the bytes of its statement, and what they say. */
export interface Certificate {
  /** Missing if the certificate is not signed. */
  envelope?: Envelope;
  bytes: Buffer;
  statement: Statement;
  certified: Certified;
}

/** The schema of a statement. It ignores keys of later versions, as the parsing rules of in-toto say. */
const SCHEMA = join(packageRoot, 'assets', 'certificate.schema.json');
let compiled: ValidateFunction<Statement> | undefined;

/** Deeper than any certificate, and shallow enough to be compared and written again. */
const MAX_DEPTH = 64;
const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`;

/** Compiled when the first certificate is read. */
function statementValidator(): ValidateFunction<Statement> {
  compiled ??= ajvWith({ strict: true }).compile<Statement>(JSON.parse(readFileSync(SCHEMA, 'utf8')));
  return compiled;
}

/**
 * Reads a certificate: a statement, or an envelope with one. Checks that its parts fit together, and nothing else.
 * @returns the certificate, or why it is not valid
 */
export function readCertificate(file: Uint8Array): Certificate | string {
  const certificate = readParts(file);
  if (typeof certificate === 'string') return certificate;
  const { bytes, statement } = certificate;
  const documents = ['target', 'options'].map((name) =>
    Buffer.from(partOf(statement, name)?.content ?? '', 'base64'),
  );
  const name = [file, bytes, ...documents].map(repeatedName).find((each) => each !== undefined);
  return name === undefined ? certificate : `duplicate JSON key ${JSON.stringify(name)} in one object`;
}

/** Larger than any certificate, in bytes. */
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

/** The parts of a statement. */
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
    subjects: Array.isArray(subjects) ? (subjects as Subject[]) : [],
    target,
    options: rest,
    suite: {
      version,
      specVersion,
      specDigest,
      set: { version: setVersion, requirements: count, digest: set.digest.sha256 },
    },
    reportDigest,
    passed: predicate.passedTests,
    warned: predicate.warnedTests,
    unexercised,
  };
}

function partOf({ predicate }: Statement, name: string): ResourceDescriptor | undefined {
  return predicate.configuration.find((each) => each.name === name);
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
    [apiUrl, plan].every((each) => each === null || typeof each === 'string') &&
    [startedAt, finishedAt].every((each) => typeof each === 'string' && !Number.isNaN(Date.parse(each)))
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
