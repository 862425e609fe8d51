import { Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrongWithHead } from '../../src/session/http/explain-failure.ts';
import { HeadWatch } from '../../src/session/http/response-head.ts';
import { cases, PATIENCE } from './budget.ts';
import { hostileText } from './texts.ts';

/** Text that may be in a line of a head: what ends a line, or is no byte, is left out. */
const inLine = hostileText.map((text) => text.replace(/[\r\n]|[\u0100-\uffff]/g, ''));

const headerLines = fc.array(
  fc.tuple(fc.constantFrom('Link', 'X-Any', 'Content-Length', 'Transfer-Encoding'), inLine),
  { maxLength: 3 },
);

/** An interim response, so many times over. */
const interim = fc.record({
  status: fc.constantFrom(100, 102, 103, 199),
  reason: fc.option(inLine, { nil: undefined }),
  lines: headerLines,
  times: fc.oneof(fc.constantFrom(1, 2), fc.nat(6_000)),
  blank: fc.constantFrom('', '\r\n'),
});

const flow = fc.record({
  interims: fc.array(interim, { maxLength: 4 }),
  lines: headerLines,
  body: inLine,
  /** Where it is cut into pieces. */
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
});

function headOf(status: number, reason: string | undefined, lines: readonly (readonly string[])[]): string {
  const first = `HTTP/1.1 ${status}${reason === undefined ? '' : ` ${reason}`}`;
  return `${[first, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`;
}

function piecesOf(text: string, cuts: readonly number[]): string[] {
  const places = cuts.map((cut) => Math.floor(cut * text.length)).sort((left, right) => left - right);
  return [0, ...places].map((place, index) => text.slice(place, places[index] ?? text.length));
}

test(
  'whatever interim responses come, however many and however cut: the answer gets through, and none of the 100s',
  async () => {
    await fc.assert(
      fc.asyncProperty(flow, async ({ interims, lines, body, cuts }) => {
        const early = interims.map(({ status, reason, lines: own, times, blank }) => ({
          status,
          text: `${blank}${headOf(status, reason, own)}`.repeat(times),
        }));
        const head = headOf(200, 'OK', lines);
        const socket = new Socket();
        const watch = new HeadWatch(socket);
        let read = '';
        socket.on('data', (bytes) => {
          read += bytes.toString('latin1');
        });
        const text = `${early.map((each) => each.text).join('')}${head}${body}`;
        for (const piece of piecesOf(text, cuts)) socket.push(Buffer.from(piece, 'latin1'));
        await new Promise((resolve) => setImmediate(resolve));
        const through = early.filter(({ status }) => status !== 100).map((each) => each.text);
        expect(read === `${through.join('')}${head}${body}`).toBe(true);
        expect(watch.head).toBe(head);
        const wrong = wrongWithHead(head);
        expect(wrong === undefined || wrong.length < 100).toBe(true);
        socket.destroy();
      }),
      cases(80),
    );
  },
  PATIENCE,
);
