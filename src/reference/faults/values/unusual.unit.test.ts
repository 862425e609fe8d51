import { adding, type ChangeCase, testChanges } from '../../../../test/services/change-cases.ts';
import { unusualValueFaults } from './unusual.ts';

const REX = { name: 'Rex', categoryId: 7 };

/** What an addition returns of what it was sent, or its status if it is not accepted. */
const added = (id: string, sent: Partial<typeof REX>, shown: unknown): ChangeCase => ({
  id,
  ask: async ({ ask }) => {
    const { status, object } = await ask('/pets', adding({ ...REX, ...sent }));
    return status === 201 ? { name: object.name, categoryId: object.categoryId } : status;
  },
  usual: { ...REX, ...sent },
  shown: typeof shown === 'number' ? shown : { ...REX, ...sent, ...(shown as object) },
});
const named = (id: string, name: string, shown: string | 500) =>
  added(id, { name }, shown === 500 ? 500 : { name: shown });
const of = (id: string, categoryId: number, shown: number) =>
  added(id, { categoryId }, shown === 500 ? 500 : { categoryId: shown });

testChanges(unusualValueFaults, [
  named('length-255-500', 'x'.repeat(255), 500),
  named('length-256-cut', 'x'.repeat(256), ''),
  named('name-injection-500', "x' OR '1'='1", 500),
  named('name-backticks-quoted', 'a `b`', "a 'b'"),
  named('name-parents-removed', '../../etc', 'etc'),
  named('name-control-lost', 'a\u0007b\u001bc\td', 'abc\td'),
  named('name-lines-cut', 'a b\r\nc\nd', 'a b'),
  named('name-bell-500', 'a\u0007b', 500),
  named('name-digits-zeros-lost', '0012345678', '12345678'),
  {
    id: 'name-digits-number',
    ask: async ({ ask }) => (await ask('/pets', adding({ name: '0012345678', categoryId: 1 }))).object.name,
    usual: '0012345678',
    shown: 12_345_678,
  },
  of('category-zero-default', 0, 1),
  of('category-zero-500', 0, 500),
  of('category-minus-one-positive', -1, 1),
  of('category-sign-lost', 4_294_967_295, -1),
]);
