import { adding, type ChangeCase, testChanges } from '../../../../test/change-cases.ts';
import type { Running } from '../../../../test/running-reference.ts';
import { injectionFaults } from './injection.ts';
import { lengthFaults } from './lengths.ts';

/** What an addition gets: a field of the animal, the status if it is refused, or nothing. */
async function added({ ask }: Running, body: object, field: string) {
  const reply = await ask('/pets', adding(body)).catch(() => undefined);
  return reply?.status === 201 ? reply.object[field] : (reply?.status ?? 'no response');
}

const named = (id: string, name: string, shown: unknown): ChangeCase => ({
  id,
  ask: (client) => added(client, { name, categoryId: 1 }, 'name'),
  usual: name,
  shown,
});
const categorized = (id: string, categoryId: number, shown: unknown): ChangeCase => ({
  id,
  ask: (client) => added(client, { name: 'Rex', categoryId }, 'categoryId'),
  usual: categoryId,
  shown,
});
const long = (length: number) => 'ab'.repeat(length).slice(0, length);

testChanges(
  [...lengthFaults, ...injectionFaults],
  [
    named('length-255-terminated', long(255), long(254)),
    named('length-256-is-0', long(256), ''),
    named('length-1024-cut', long(1_024), long(1_023)),
    named('length-4096-cut', long(10_000), long(4_096)),
    named('length-8192-500', long(10_000), 500),
    named('length-8192-closed', long(10_000), 'no response'),
    categorized('category-0-is-1', 0, 1),
    categorized('category-minus-1-500', -1, 500),
    categorized('category-signed-32', 4_294_967_295, -1),
    named('name-sql-500', "Robert'); DROP TABLE pets;--", 500),
    named('name-sql-comment', 'admin -- x', 'admin'),
    named('name-shell-executed', 'a$(reboot)b`id`', 'ab'),
    named('name-shell-502', 'Rex; rm -rf x', 502),
    named('name-path-500', '../../etc/passwd', 500),
    named('name-null', 'NULL', null),
    named('name-digits-number', '12345', 12345),
  ],
);
