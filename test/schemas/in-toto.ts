import { createFileRegistry, type DescMessage, fromJson, type JsonValue, toJson } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  file_google_protobuf_struct,
} from '@bufbuild/protobuf/wkt';

/**
 * The messages of in-toto's attestation framework, as its specification states them (spec/v1/statement.md,
 * spec/v1/resource_descriptor.md, spec/predicates/test-result.md), for a parser of protobuf's JSON that is not ours: it
 * refuses fields that it does not know, and values of another type.
 */
const STRUCT = '.google.protobuf.Struct';
const DESCRIPTOR = '.in_toto_attestation.v1.ResourceDescriptor';

/** As protobuf's compiler names it in JSON. */
const inJson = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const text = (name: string, number: number, more: object = {}) => ({
  name,
  number,
  type: 'TYPE_STRING',
  jsonName: inJson(name),
  ...more,
});
const texts = (name: string, number: number) => text(name, number, { label: 'LABEL_REPEATED' });
const message = (name: string, number: number, typeName: string, isMany = false) => ({
  name,
  number,
  type: 'TYPE_MESSAGE',
  jsonName: inJson(name),
  typeName,
  ...(isMany ? { label: 'LABEL_REPEATED' } : {}),
});

function file(name: string, dependency: string[], types: object[], of = 'v1'): FileDescriptorProto {
  const source = {
    name,
    package: `in_toto_attestation.${of}`,
    syntax: 'proto3',
    dependency,
    messageType: types,
  };
  return fromJson(FileDescriptorProtoSchema, source as JsonValue);
}

const files: readonly FileDescriptorProto[] = [
  file(
    'descriptor.proto',
    ['google/protobuf/struct.proto'],
    [
      {
        name: 'ResourceDescriptor',
        field: [
          text('name', 1),
          text('uri', 2),
          message('digest', 3, `${DESCRIPTOR}.DigestEntry`, true),
          { name: 'content', number: 4, type: 'TYPE_BYTES', jsonName: 'content' },
          text('download_location', 5),
          text('media_type', 6),
          message('annotations', 7, STRUCT),
        ],
        nestedType: [
          { name: 'DigestEntry', field: [text('key', 1), text('value', 2)], options: { mapEntry: true } },
        ],
      },
    ],
  ),
  file(
    'statement.proto',
    ['google/protobuf/struct.proto', 'descriptor.proto'],
    [
      {
        name: 'Statement',
        field: [
          text('type', 1, { jsonName: '_type' }),
          message('subject', 2, DESCRIPTOR, true),
          text('predicate_type', 3),
          message('predicate', 4, STRUCT),
        ],
      },
    ],
  ),
  file(
    'test_result.proto',
    ['descriptor.proto'],
    [
      {
        name: 'TestResult',
        field: [
          text('result', 1),
          message('configuration', 2, DESCRIPTOR, true),
          text('url', 3),
          texts('passed_tests', 4),
          texts('warned_tests', 5),
          texts('failed_tests', 6),
        ],
      },
    ],
    'predicates.test_result.v0',
  ),
];

function schemaOf(name: string, entry: string): DescMessage {
  const known = (path: string) =>
    path === 'google/protobuf/struct.proto'
      ? file_google_protobuf_struct
      : files.find((each) => each.name === path);
  const root = files.find((each) => each.name === entry);
  const found = root && createFileRegistry(root, known).getMessage(name);
  if (!found) throw new Error(`there is no message ${name}`);
  return found;
}

const STATEMENT = schemaOf('in_toto_attestation.v1.Statement', 'statement.proto');
const TEST_RESULT = schemaOf('in_toto_attestation.predicates.test_result.v0.TestResult', 'test_result.proto');

/** A statement and its predicate, through the parser and back. @throws where it refuses them */
export function throughInToto(statement: { predicate: unknown }): unknown {
  const parsed = toJson(STATEMENT, fromJson(STATEMENT, statement as JsonValue)) as Record<string, JsonValue>;
  return { ...parsed, predicate: toJson(TEST_RESULT, fromJson(TEST_RESULT, parsed.predicate ?? null)) };
}
