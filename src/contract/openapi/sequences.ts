import { createParser } from 'eventsource-parser';
import { essence } from '../../model/http/media-type.ts';
import { type Json, type Parsed, parseJson, stringifyJson } from '../../model/json.ts';

const EVENTS = 'text/event-stream';
const LINES = /(?:jsonl|jsonlines|ndjson)$/;
const TEXTS = /json-seq$/;

/** Items of one body that are judged; later ones are not. */
export const MAX_ITEMS = 1_000;

/** Whether a media type is a sequence of items (OpenAPI 3.2, "Sequential Media Types") that petspec reads one by one. */
export function isSequential(mediaType: string): boolean {
  const type = essence(mediaType);
  return type === EVENTS || LINES.test(type) || TEXTS.test(type);
}

/**
 * The items of a body as a list, as OpenAPI defines it: an event of an event stream is an object of its fields. An item that is
 * not JSON is an error with its number.
 */
export function itemsOf(mediaType: string, body: string): Parsed {
  const text = body.replace(/^\ufeff/, '');
  const type = essence(mediaType);
  if (type === EVENTS) return { ok: true, value: eventsIn(text) };
  return LINES.test(type) ? linesIn(text) : textsIn(text);
}

/** The text of a body with these items. */
export function sequenceOf(mediaType: string, items: readonly Json[]): string {
  const type = essence(mediaType);
  if (type === EVENTS) return items.map(eventText).join('');
  return items.map((item) => `${TEXTS.test(type) ? '\u001e' : ''}${stringifyJson(item)}\n`).join('');
}

function eventText(event: Json): string {
  if (typeof event !== 'object' || event === null) return `data: ${stringifyJson(event)}\n\n`;
  const lines = Object.entries(event).flatMap(([name, value]) =>
    String(value)
      .split('\n')
      .map((line) => `${name}: ${line}\n`),
  );
  return `${lines.join('')}\n`;
}

/**
 * The events of a stream, as the HTML standard reads it: without comments, unknown fields, blocks without data, and an event
 * that no blank line ends.
 */
function eventsIn(text: string): Json[] {
  const events: Json[] = [];
  let retry: number | undefined;
  const parser = createParser({
    onRetry(ms) {
      // Infinity: no client waits that long, and JSON cannot write it.
      retry = Number.isFinite(ms) ? ms : undefined;
    },
    onEvent({ id, event, data }) {
      events.push({
        ...(event === undefined ? {} : { event }),
        data,
        ...(id === undefined ? {} : { id }),
        ...(retry === undefined ? {} : { retry }),
      });
    },
  });
  const blocks = text.replace(/\r\n?/g, '\n').split('\n\n').slice(0, -1);
  for (const block of blocks) {
    if (events.length >= MAX_ITEMS) break;
    retry = undefined;
    parser.feed(`${block}\n\n`);
  }
  return events;
}

/** JSON Lines and NDJSON. The last line needs no line feed, and blank lines are no items. */
function linesIn(text: string): Parsed {
  return allOf(text.split('\n', MAX_ITEMS).filter((line) => line.trim() !== ''));
}

/** JSON text sequences (RFC 7464): a record separator begins each text. A last text without a line feed may have been cut. */
function textsIn(text: string): Parsed {
  const [before = '', ...texts] = text.split('\u001e', MAX_ITEMS + 1);
  if (before.trim() !== '') return { ok: false, error: 'it does not begin with a record separator' };
  const items = texts.filter((item) => item.trim() !== '');
  const last = items.at(-1) ?? '';
  return allOf(last.endsWith('\n') || parseJson(last).ok ? items : items.slice(0, -1));
}

function allOf(texts: readonly string[]): Parsed {
  const values: Json[] = [];
  for (const [index, text] of texts.entries()) {
    const parsed = parseJson(text);
    if (!parsed.ok) return { ok: false, error: `item ${index + 1}: ${parsed.error}` };
    values.push(parsed.value);
  }
  return { ok: true, value: values };
}
