import { expect, test } from 'vitest';
import { documentWith, judged } from '../small-service.ts';

const list = { 200: { description: 'x', content: { 'application/json': { schema: { type: 'array' } } } } };
const DOCUMENT = { '/things': { get: { responses: list } } };

test.each(['User-Agent', 'Accept', 'accept-encoding', 'Traceparent'])(
  'a header of the user replaces the one that petspec sends by itself: %s',
  async (name) => {
    const { asked, report } = await judged(documentWith(DOCUMENT), () => [200, []], {
      headers: [[name, 'as-a-client-says-it']],
      traceparent: true,
    });
    const sent = asked.map(({ headers }) => headers[name.toLowerCase()]);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((each) => each !== 'as-a-client-says-it')).toEqual([]);
    expect(report.verdict).toBe('conformant');
  },
);
