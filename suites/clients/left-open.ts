import { counted } from '../../src/model/report/report.ts';
import { quote } from '../../src/model/visible.ts';
import {
  type ClientCheck,
  type ClientRequest,
  contentOf,
  listed,
  observing,
  type ScenarioTraffic,
} from '../../src/traffic/client-check.ts';

/** What the interface leaves open about clients: observed, never judged. */
export const openChecks: readonly ClientCheck[] = [
  observing(
    listed(
      'open.repeated',
      'open',
      'Errors',
      'Whether a client sends a request again after a 5xx is not shown.',
    ),
    ({ scenarios }) => {
      const repeated = scenarios.flatMap(repeatedOf);
      const [first] = repeated;
      if (!first) return undefined;
      return { words: `the client sent a ${first.exchange.method} again after a 5xx`, evidence: repeated };
    },
  ),
  observing(
    listed('open.refused-key', 'open', 'Authentication', 'What a client does after a 401 is not shown.'),
    ({ scenarios }) => {
      const refused = scenarios.flatMap(({ requests }) =>
        requests.filter(({ exchange }) => exchange.response?.status === 401),
      );
      if (refused.length === 0) return undefined;
      return {
        words: `the client sent ${counted(refused.length, 'request')} that got 401`,
        evidence: refused,
      };
    },
  ),
  observing(
    listed(
      'open.body',
      'open',
      'Endpoints',
      'Whether clients may send bodies that are compressed or longer than 1 MiB is not shown.',
    ),
    ({ scenarios }) => {
      const unread = scenarios
        .flatMap(({ requests }) => requests)
        .filter(({ unreadBody }) => unreadBody !== undefined);
      const reasons = [...new Set(unread.map(({ unreadBody = '' }) => quote(unreadBody)))];
      if (unread.length === 0) return undefined;
      return {
        words: `not judged: ${counted(unread.length, 'body', 'bodies')} ${reasons.slice(0, 5).join(', ')}`,
        evidence: unread,
      };
    },
  ),
  observing(
    listed('open.end', 'open', 'What the service does', 'How a client reports what it met is not shown.'),
    ({ scenarios }) => {
      const words = scenarios.map(({ scenario, end }) => `${scenario}: ${end.words}`);
      const evidence = scenarios.flatMap(({ requests }: ScenarioTraffic) => requests.slice(0, 1));
      return { words: words.join('; '), evidence };
    },
  ),
];

/** The requests that repeat one that got a 5xx. */
function repeatedOf({ requests }: ScenarioTraffic): ClientRequest[] {
  const failed = new Set<string>();
  return requests.filter(({ exchange }) => {
    const content = contentOf(exchange);
    const isRepeat = failed.has(content);
    if ((exchange.response?.status ?? 0) >= 500) failed.add(content);
    return isRepeat;
  });
}
