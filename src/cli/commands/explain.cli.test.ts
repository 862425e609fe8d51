import { mkdirSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { concurrentTest as test, testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

const { petspec, inFolder } = testedCommandLine();

test('a requirement that leaves room: its sentence, its reading, the others, and what marks the border', async () => {
  const { status, out, err } = await petspec('explain', 'listPets.page');
  expect({ status, err }).toEqual({ status: 0, err: '' });
  for (const words of [
    /^listPets\.page: A page never exceeds the maximum/,
    /^ {2}must: /m,
    /^ {2}section: Page size$/m,
    /^The interface says\n {2}`limit` on `GET \/pets`: integer 1 to 100, default 20\.$/m,
    /^petspec reads\n {2}\S/m,
    /^It could also mean\n {2}\S.*\n {4}But: /m,
    /^\d+ faults of the reference that violate it\n {2}[\w-]+: /m,
    /^Variants of the reference that look similar and conform\n(?: {2}.*\n)* {2}limit-clamped: /m,
  ])
    expect(out).toMatch(words);
});

test('as JSON: the same as data, with every fault that the catalogue has for it', async () => {
  const { out } = await petspec('explain', 'authentication.key', '--json');
  const { out: faults } = await petspec('faults', '--json');
  const violating = JSON.parse(faults).filter((each: { violates: string[] }) =>
    each.violates.includes('authentication.key'),
  );
  const explained = JSON.parse(out);
  expect(explained).toMatchObject({ id: 'authentication.key', level: 'must', section: 'Authentication' });
  expect(explained.faults.map(({ id }: { id: string }) => id)).toEqual(
    violating.map(({ id }: { id: string }) => id),
  );
});

test('what the interface leaves open is not read', async () => {
  const { out } = await petspec('explain', 'open.ordering');
  expect(out).toMatch(/^ {2}open: the interface leaves it open, so every service conforms/m);
  expect(out).not.toContain('petspec reads');
});

test('a requirement of clients is explained, too', async () => {
  expect(await petspec('explain', 'client.ids')).toMatchObject({ status: 0, err: '' });
});

test('an unknown id gets a suggestion, or says where they are listed', async () => {
  expect(await petspec('explain', 'Unauthorised')).toMatchObject({
    status: 2,
    err: "petspec: unknown requirement 'Unauthorised'; did you mean 'Unauthorized'?\n",
  });
  expect(await petspec('explain', 'x')).toMatchObject({
    status: 2,
    err: "petspec: unknown requirement 'x'; petspec requirements lists them\n",
  });
});

const DOCUMENT = `openapi: 3.0.3
info: { title: Tasks, version: '1' }
paths:
  /tasks:
    get:
      operationId: listTasks
      responses:
        '200':
          description: All tasks.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Task' } } } }
components:
  schemas:
    Task:
      type: object
      required: [title]
      properties:
        title: { type: string }
`;

test('an interface of your own: where a requirement comes from, and how its requirements.yaml reads it', async () => {
  const folder = inFolder('tasks');
  mkdirSync(folder);
  writeFileSync(inFolder('tasks', 'openapi.yaml'), DOCUMENT);
  writeFileSync(
    inFolder('tasks', 'requirements.yaml'),
    `readings:
  Task.title:
    sentence: A task has a title.
    reading: The empty text is a title.
    not: [{ reading: It is not., because: No length is stated. }]
`,
  );
  const { status, out } = await petspec('explain', 'Task.title', '--interface', 'tasks');
  expect(status).toBe(0);
  expect(out).toContain('  from: openapi.yaml line 17\n');
  expect(out).toMatch(/^petspec reads\n {2}The empty text is a title\.$/m);
  expect(out).toMatch(/^ {2}It is not\.\n {4}But: No length is stated\.$/m);
  expect(out).not.toContain('reference');
  const status200 = await petspec('explain', 'listTasks.200', '--interface', 'tasks');
  expect(status200.out).toContain('  from: openapi.yaml line 8\n');
  expect((await petspec('explain', 'x', '--interface', 'tasks')).err).toContain(
    '; petspec requirements --interface tasks lists them\n',
  );
});

test('a reading without the words is refused in one line', async () => {
  mkdirSync(inFolder('wrong'));
  writeFileSync(inFolder('wrong', 'openapi.yaml'), DOCUMENT);
  writeFileSync(inFolder('wrong', 'requirements.yaml'), 'readings: { Task.title: { sentence: A title. } }\n');
  const { status, err } = await petspec('explain', 'Task.title', '--interface', 'wrong');
  expect(status).toBe(2);
  expect(err).toMatch(/^petspec: [^\n]*requirements\.yaml: \/readings\/Task\.title [^\n]*'reading'\n$/);
});
