import { expect, test } from 'vitest';
import { renderPlan } from '../../../src/report/text/run-plan.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { DEFAULT_OPTIONS, type RunOptions } from '../../../src/run/options.ts';
import { makePlan } from '../../../src/run/plan.ts';
import { documentWith } from '../small-service.ts';

const OK = { 200: { description: 'x' } };
const MADE = { 201: { description: 'x' } };
const bodyOf = (schema: object, example?: unknown) => ({
  required: true,
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
});
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } });
/** No text that petspec makes has such a form. */
const ODD = { type: 'string', pattern: '^(?=A)[A-Z]{3}-\\d{4}$' };

const PATHS = {
  '/plain': { get: { responses: OK } },
  '/elsewhere': { servers: [{ url: 'https://files.test' }], get: { responses: OK } },
  '/elsewhere/too': { post: { servers: [{ url: 'https://mail.test/v2' }], responses: MADE } },
  '/events': { get: { responses: { 200: { description: 'x', content: { 'text/event-stream': {} } } } } },
  '/seats/{row}': { get: { parameters: [inPath('row')], responses: OK } },
  '/quotes': {
    get: { parameters: [{ name: 'isin', in: 'query', required: true, schema: ODD }], responses: OK },
  },
  '/reset': { post: { responses: OK } },
  '/lamps/{lamp}': { parameters: [inPath('lamp')], put: { responses: OK }, delete: { responses: OK } },
  '/cars': {
    post: {
      requestBody: bodyOf(
        { type: 'object', required: ['plate'], properties: { plate: ODD } },
        { plate: 'x' },
      ),
      responses: MADE,
    },
  },
  '/cars/{car}': { delete: { parameters: [inPath('car')], responses: OK } },
  '/homes/{home}/rooms': { post: { parameters: [inPath('home')], responses: MADE } },
  '/homes/{home}/rooms/{room}': { delete: { parameters: [inPath('home'), inPath('room')], responses: OK } },
};

async function dryRun(options: Partial<RunOptions>): Promise<string> {
  const { contract, checks } = await interfaceOf({ interface: documentWith(PATHS) });
  const all = { ...DEFAULT_OPTIONS, baseUrl: 'http://a.test', interface: 'x', ...options };
  return renderPlan(makePlan(contract, checks, all), all, contract);
}

const READS = [
  'GET /elsewhere: not sent: it has a server of its own; state its address with --server files.test=<url>',
  'POST /elsewhere/too: not sent: it has a server of its own; state its address with --server mail.test=<url>',
  'GET /events: it answers with a stream (text/event-stream); nothing of it is judged',
  'GET /seats/{row}: no value known for {row}; give it an example in the document, or with --example',
  'GET /quotes: no valid value known for the required parameter isin; give it an example in the document, or with --example',
];

test('the dry run of a run that reads names each operation that is left out, with the reason', async () => {
  const plan = await dryRun({});
  for (const each of READS) expect(plan).toContain(each);
  expect(plan).toContain(
    'POST /reset, PUT /lamps/{lamp}, DELETE /lamps/{lamp} and 4 more: not sent: petspec only reads',
  );
});

test('the dry run of a run that writes says what each operation lacks', async () => {
  const plan = await dryRun({ write: true });
  for (const each of [
    ...READS,
    'POST /reset: not sent: the document does not say what it creates, changes or removes; --example',
    'PUT /lamps/{lamp}: not sent: no operation of the document creates what it changes; --example',
    'DELETE /lamps/{lamp}: not sent: no operation of the document creates what it removes; --example',
    'POST /cars: not sent: the example of the body violates its schema, and petspec found no valid value for /plate of the body; state the body with --example',
    'DELETE /cars/{car}: not sent: it needs what POST /cars creates, which is not sent',
    'POST /homes/{home}/rooms: not sent: no value known for {home}; --example',
    'DELETE /homes/{home}/rooms/{room}: not sent: it needs what POST /homes/{home}/rooms creates, which is not sent',
  ])
    expect(plan).toContain(each);
});

test('an operation whose server is named is sent there', async () => {
  const plan = await dryRun({ servers: { 'files.test': 'http://127.0.0.1:9' } });
  expect(plan).toContain('GET /elsewhere -> 200');
  expect(plan).not.toContain('--server files.test');
});
