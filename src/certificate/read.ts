import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from '../contract/schema.ts';
import { type Envelope, isSealed, readEnvelope } from './envelope.ts';
import { repeatedName } from './repeated-name.ts';
import {
  type Certified,
  type CertifiedTarget,
  PREDICATE_TYPE,
  type ResourceDescriptor,
  STATEMENT_TYPE,
  type Statement,
  type Subject,
  sha256,
} from './statement.ts';

/** A certificate as it was read: the very bytes that say what was certified, and what they say. */
export interface Certificate {
  /** Without one nobody signed it. */
  envelope?: Envelope;
  bytes: Buffer;
  statement: Statement;
  certified: Certified;
}

const ids = { type: 'array', items: { type: 'string' }, uniqueItems: true };
const digest = {
  type: 'object',
  minProperties: 1,
  additionalProperties: { type: 'string', pattern: '^[0-9a-f]+$' },
};
const descriptor = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    uri: { type: 'string' },
    digest,
    content: { type: 'string' },
    annotations: { type: 'object' },
  },
};

/** A statement as petspec writes it; what a later petspec adds is not looked at (in-toto, parsing rules). */
const isStatement = new Ajv2020({ strict: true }).compile({
  type: 'object',
  required: ['_type', 'subject', 'predicateType', 'predicate'],
  properties: {
    _type: { const: STATEMENT_TYPE },
    subject: { type: 'array', minItems: 1, items: { ...descriptor, required: ['name', 'digest'] } },
    predicateType: { const: PREDICATE_TYPE },
    predicate: {
      type: 'object',
      required: ['result', 'configuration', 'passedTests', 'warnedTests', 'failedTests'],
      properties: {
        result: { enum: ['PASSED', 'WARNED', 'FAILED'] },
        configuration: { type: 'array', items: descriptor },
        passedTests: ids,
        warnedTests: ids,
        failedTests: ids,
      },
    },
  },
});

/**
 * Reads a certificate: a statement, or an envelope that carries one. Nothing of it is trusted yet, but its parts fit
 * together.
 * @returns the certificate, or in a few words why it is none
 */
export function readCertificate(file: Uint8Array): Certificate | string {
  const certificate = readParts(file);
  if (typeof certificate === 'string') return certificate;
  const { bytes, statement } = certificate;
  const documents = ['target', 'options'].map((name) =>
    Buffer.from(partOf(statement, name)?.content ?? '', 'base64'),
  );
  const name = [file, bytes, ...documents].map(repeatedName).find((each) => each !== undefined);
  return name === undefined ? certificate : `has the JSON key ${JSON.stringify(name)} twice in one object`;
}

function readParts(file: Uint8Array): Certificate | string {
  const value = parse(file);
  if (!isObject(value)) return 'is no JSON object';
  if (!isSealed(value)) return readStatement(Buffer.from(file), value);
  const envelope = readEnvelope(value);
  if (typeof envelope === 'string') return envelope;
  const read = readStatement(envelope.payload, parse(envelope.payload));
  return typeof read === 'string' ? read : { ...read, envelope };
}

function readStatement(bytes: Buffer, value: unknown): Certificate | string {
  if (!isStatement(value)) {
    const [first] = isStatement.errors ?? [];
    return `is no certificate of petspec: ${first?.instancePath || 'it'} ${first?.message}`;
  }
  const statement = value as unknown as Statement;
  const certified = certifiedBy(statement);
  return typeof certified === 'string' ? certified : { bytes, statement, certified };
}

/** What a statement says, taken apart. */
function certifiedBy(statement: Statement): Certified | string {
  const { predicate } = statement;
  const part = (name: string) => partOf(statement, name);
  const target = documentIn(part('target'));
  const options = documentIn(part('options'));
  if (!isTarget(target)) return 'the target in it is not the one of its digest';
  if (!isObject(options)) return 'the options in it are not those of their digest';
  const [version, specDigest, set, reportDigest] = [
    /^pkg:npm\/petspec@(.+)$/.exec(part('petspec')?.uri ?? '')?.[1],
    part('interface')?.digest?.sha256,
    part('requirements'),
    part('report.json')?.digest?.sha256,
  ];
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
    return 'does not say by what it was judged';
  const { petspec, subject: subjects, ...rest } = options;
  if (petspec !== version) return 'names two versions of petspec';
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

/** A document that a descriptor carries, if it is the one of its digest. */
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
