import { counted } from '../../src/model/report/report.ts';
import { listed, observing } from '../../src/traffic/client-check.ts';
import type { ClientCheck, ClientRequest, ScenarioTraffic } from '../../src/traffic/client-traffic.ts';

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
      const repeated = scenarios.flatMap(({ requests }) =>
        requests.filter((each, index) => isRepeat(requests, each, index)),
      );
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
    listed('open.end', 'open', 'What the service does', 'How a client reports what it met is not shown.'),
    ({ scenarios }) => {
      const words = scenarios.map(({ scenario, end }) => `${scenario}: ${end.words}`);
      const evidence = scenarios.flatMap(({ requests }: ScenarioTraffic) => requests.slice(0, 1));
      return { words: words.join('; '), evidence };
    },
  ),
];

/** Whether the same request got a 5xx before. */
function isRepeat(requests: readonly ClientRequest[], { exchange }: ClientRequest, index: number): boolean {
  return requests.slice(0, index).some(({ exchange: earlier }) => {
    const status = earlier.response?.status ?? 0;
    return (
      status >= 500 &&
      earlier.method === exchange.method &&
      earlier.url === exchange.url &&
      earlier.requestBody === exchange.requestBody
    );
  });
}
