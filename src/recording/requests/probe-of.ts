import { max } from 'd3-array';
import { createsRecord } from '../../contract/resources.ts';
import type { Operation } from '../../model/contract.ts';
import type { Probe } from '../../model/probe.ts';
import { success } from '../../probes/probe.ts';
import type { Classified } from '../../traffic/classify.ts';
import { isSpelled, owedTo } from './owed.ts';
import type { Owed, RecordedRequest } from './request.ts';

/**
 * The probe that a recorded request amounts to: what it is, and which responses conform. Where a service may have a reason
 * to refuse it that the recording does not show, a refusal conforms.
 */
export function probeOf(request: RecordedRequest): Probe {
  const { exchange, classified, source, controls } = request;
  const { operation } = classified;
  const owed = owedTo(request);
  const url = new URL(exchange.url);
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'path');
  const names = operation.path.split('/');
  const values = url.pathname.split('/').slice(-names.length);
  return {
    id: exchange.probe,
    operation: operation.id,
    stage: stageOf(request, owed),
    title: titleOf(classified, owed),
    key: 'valid',
    query: [...url.searchParams],
    path: Object.fromEntries(
      parameters.map(({ name }) => [name, source ?? values[names.indexOf(`{${name}}`)] ?? '']),
    ),
    controls,
    creates: createsRecord(operation) && owed.validity === 'valid',
    ...owed,
    ...(isSpelled(request) ? { spelling: 'encoded' as const } : {}),
  };
}

/** The title becomes part of a reason, which quotes nothing of a recording: it leaves out the detail of a problem. */
function titleOf({ problems }: Classified, { key }: Owed): string {
  if (key === 'absent') return 'no key';
  const [first, second] = problems;
  if (first === undefined) return 'a valid request';
  return second ? 'a request with several faults' : first.reason;
}

function stageOf(request: RecordedRequest, owed: Owed): Probe['stage'] {
  const { exchange, source } = request;
  const { operation } = request.classified;
  const { stage } = exchange;
  // Checks use these stages of a run: records read at its end may have changed since.
  if (exchange.recorded === 'run' && ['first', 'exhaust', 'surplus', 'recover'].includes(stage)) return stage;
  if (operation.address === 'apiUrl') return 'messages';
  if (owed.key !== undefined) return 'keys';
  if (owed.validity === 'invalid') return 'invalid';
  if (request.classified.isMisplaced) return 'other';
  if (operation.body) return exchange.recorded === 'run' || isOrdinary(request) ? 'create' : 'other';
  if (source || operation.parameters.some((parameter) => parameter.in === 'path')) return 'read';
  return success(operation).length > 0 ? 'list' : 'other';
}

/** The longest text that is compared with responses. */
const MAX_TEXT = 1_000;

/**
 * Whether a creation makes a new record with all texts as sent: a service may cut, trim or clean unusual texts, and answer a
 * repeated request with the first response.
 */
function isOrdinary({ exchange, classified: { values }, isChanged }: RecordedRequest): boolean {
  if (isChanged || exchange.requestHeaders.some(([name]) => /idempotency/i.test(name))) return false;
  const texts = values.flatMap(({ value }) => (typeof value === 'string' ? value : []));
  return texts.every(
    (text) => text.length <= MAX_TEXT && text === text.trim() && !/[\p{C}\u{fffd}<>&]/u.test(text),
  );
}

/** The values in a request body that refer to something which the API does not show. */
export function referencesIn({ operation, values }: Classified): string[] {
  const fields = Object.entries(operation?.body?.schema.properties ?? {});
  const names = fields.filter(([, field]) => field['x-reference']).map(([name]) => name);
  return values
    .filter(({ rule, schema }) => schema['x-reference'] && names.some((name) => rule.endsWith(`.${name}`)))
    .map(({ rule, value }) => `${rule}=${String(value)}`);
}

/** The free texts of a request body, each after its rule. */
export function textsIn(classified: Classified): string[] {
  return freeTexts(classified).map(({ rule, value }) => `${rule}=${String(value)}`);
}

/** The length of the longest text of a request body whose length is not stated. */
export function longestTextIn(classified: Classified): number {
  const texts = freeTexts(classified).filter(({ schema }) => schema.maxLength === undefined);
  return max(texts, ({ value }) => [...String(value)].length) ?? 0;
}

function freeTexts({ operation, values }: Classified): Classified['values'] {
  const inBody = values.filter(({ rule }) => operation?.body && !isParameter(operation.id, rule, operation));
  return inBody.filter(({ schema, value }) => typeof value === 'string' && schema.enum === undefined);
}

function isParameter(id: string, rule: string, { parameters }: Pick<Operation, 'parameters'>): boolean {
  return parameters.some(({ name }) => rule === `${id}.${name}`);
}
