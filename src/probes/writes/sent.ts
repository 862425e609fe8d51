import type { Operation } from '../../model/contract.ts';
import { expecting } from '../../model/http/expectation.ts';
import type { Probe, Stage } from '../../model/probe.ts';
import { probe } from '../probe.ts';
import { successes } from '../reads/find-reads.ts';
import { type Variety, validBody } from './bodies.ts';
import { type PathValues, pathOf } from './paths.ts';
import { writeValues } from './write-values.ts';

/** A valid request; undefined if petspec lacks a value for it. */
export function sent(
  operation: Operation,
  name: string,
  stage: Stage,
  title: string,
  variety: Variety,
  path: PathValues,
): Probe | undefined {
  const id = `${operation.id}:${name}`;
  const values = writeValues(operation, id);
  const json = validBody(operation, variety, id);
  const isBodyMissing = operation.body !== undefined && json === undefined;
  if (typeof values === 'string' || (isBodyMissing && operation.body?.required)) return undefined;
  return probe(operation, name, stage, {
    title,
    expectation: expecting(successes(operation)),
    isWriting: true,
    ...values,
    path: pathOf(operation, path),
    ...(json === undefined ? {} : { body: { json } }),
  });
}
