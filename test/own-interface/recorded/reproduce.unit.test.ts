import { expect, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { shelvesFolder, startShelves } from '../writing/shelves.ts';

test('no script requests what nothing can create again', async () => {
  const { baseUrl } = await startShelves(({ method, path }, _, store) =>
    method === 'PATCH' ? { status: 200, value: store.get(path) } : undefined,
  );
  const report = await run({ baseUrl, interface: shelvesFolder(), write: true });
  const { reproduce, unrepeatable } = report.requirements.find(({ id }) => id === 'getBook.replaced') ?? {};
  expect(reproduce).toBeUndefined();
  expect(unrepeatable?.because).toBe('removed');
});
