import { type ChangeCase, testChanges } from '../../../../test/services/change-cases.ts';
import type { Reply } from '../../../../test/services/running-reference.ts';
import { pageFaults } from './pages.ts';

const page = (
  id: string,
  query: string,
  look: (reply: Reply) => unknown,
  usual: unknown,
  shown: unknown,
): ChangeCase => ({ id, ask: async ({ ask }) => look(await ask(`/pets?${query}`)), usual, shown });

const count = ({ list }: Reply) => list.length;
const statuses = ({ list }: Reply) => new Set(list.map(({ status }) => status)).size;

// The store begins with 120 animals from id 1001, 36 of each status.
testChanges(pageFaults, [
  page('order-limit-second', 'status=sold&limit=30', count, 30, 36),
  page('order-status-second', 'limit=30&status=sold', statuses, 1, 4),
  page(
    'order-limit-first-headers',
    'limit=30&status=pending',
    ({ headers }) => 'x-ratelimit-reset' in headers,
    true,
    false,
  ),
  page('page-sizes-rounded', 'limit=37', count, 37, 50),
  page('page-medium-wrapped', 'limit=30', ({ json }) => Array.isArray(json), true, false),
  page('page-small-names-cut', 'limit=2', ({ list }) => list[1]?.name, 'Мурка', 'Мур'),
  page('page-small-category-double', 'limit=5', ({ text }) => text.includes('9007199254740993'), true, false),
  page('page-pending-small-unfiltered', 'status=pending&limit=30', statuses, 1, 4),
]);
