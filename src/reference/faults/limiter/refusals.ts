import type { Change } from '../../changes/change.ts';
import {
  combined,
  cutShort,
  delayed,
  hanging,
  onAnswer,
  resetting,
  withBody,
  withField,
  withObject,
  withoutField,
  withStatus,
} from '../../changes/changes.ts';
import type { Answer } from '../../http/answer.ts';
import { type Fault, violating } from '../fault.ts';
import { crash, page } from '../mistakes.ts';
import { OVER_LIMIT } from '../requests.ts';

const ENFORCED = 'TooManyRequests';

/** A leaky bucket in front of the service. It gives back so many requests a second. */
function inFront({ perSecond, burst }: { perSecond: number; burst: number }, answer: () => Answer): Change {
  return {
    around: async (call, next) => {
      if (call.key !== 'valid') return next(call);
      const bucket = call.recall('bucket in front', () => ({ level: 0, at: call.now }));
      bucket.level = Math.max(0, bucket.level - (perSecond * (call.now - bucket.at)) / 1_000);
      bucket.at = call.now;
      if (bucket.level > burst) return answer();
      bucket.level += 1;
      return next(call);
    },
  };
}

/** Requests over the limit that get no 429. */
const instead: readonly Fault[] = [
  ...violating(ENFORCED, {
    'refused-503': ['requests over the limit get 503', withStatus(OVER_LIMIT, 503)],
    'refused-403': ['requests over the limit get 403', withStatus(OVER_LIMIT, 403)],
    'refused-401': ['requests over the limit get 401, as if the key were wrong', withStatus(OVER_LIMIT, 401)],
    'refused-420': ['requests over the limit get 420', withStatus(OVER_LIMIT, 420)],
    'refused-302': [
      'requests over the limit are redirected to a plan upgrade',
      onAnswer(OVER_LIMIT, ({ headers }) => ({
        status: 302,
        headers: [...headers.filter(([name]) => name !== 'Content-Type'), ['Location', '/upgrade']],
        body: undefined,
      })),
    ],
    'refused-200-error': [
      'requests over the limit get 200 with an Error that says 429',
      onAnswer(OVER_LIMIT, (answer) => ({ ...answer, status: 200 })),
    ],
    'refused-200-empty': [
      'requests over the limit get 200 and an empty list',
      onAnswer(OVER_LIMIT, (answer) => ({ ...answer, status: 200, body: [] })),
    ],
  }),
  ...(
    [
      ['503-page', 503, 'a page of nginx, without a header of the limit'],
      ['502-page', 502, 'a page of the gateway, which takes the refusal for a failure'],
      ['509-page', 509, 'a page of a host that says that the bandwidth limit is exceeded'],
    ] as const
  ).map(
    ([name, status, what]): Fault => ({
      id: `refused-${name}`,
      summary: `requests over the limit get ${status} and ${what}`,
      violates: [ENFORCED],
      ...onAnswer(OVER_LIMIT, () => page(status)),
    }),
  ),
  {
    id: 'refused-500-bare',
    summary: 'requests over the limit get 500 with an Error, but without a header of the limit',
    violates: [ENFORCED],
    ...onAnswer(OVER_LIMIT, () => crash()),
  },
  ...(
    [
      ['503', 503, 'nginx in front of the service'],
      ['403', 403, 'a firewall in front of the service'],
    ] as const
  ).map(
    ([name, status, what]): Fault => ({
      id: `refused-${name}-front`,
      summary: `${what} lets five requests a second through, and ten at once: others get ${status} and a page`,
      violates: [ENFORCED],
      ...combined(
        delayed({}, 20),
        inFront({ perSecond: 5, burst: 10 }, () => page(status)),
      ),
    }),
  ),
  ...violating(ENFORCED, {
    'refused-reset': ['requests over the limit get a connection reset', resetting(OVER_LIMIT, 'nothing')],
    'refused-closed': [
      'for requests over the limit, the connection closes without a response',
      cutShort(OVER_LIMIT, 'nothing'),
    ],
    'refused-hang': ['requests over the limit get no response', hanging(OVER_LIMIT, 'nothing')],
  }),
];

/** 429s whose body is not an Error. */
const bodies: readonly Fault[] = [
  {
    id: '429-html',
    summary: 'a 429 is an HTML page of the gateway',
    violates: ['service.content-type'],
    ...onAnswer(OVER_LIMIT, ({ headers }) => ({
      ...page(429),
      headers: headers.map(([name, value]) => [name, name === 'Content-Type' ? 'text/html' : value]),
    })),
  },
  {
    id: '429-text',
    summary: 'the body of a 429 is plain text, declared as JSON',
    violates: ['service.json'],
    ...withBody(OVER_LIMIT, () => 'Too Many Requests'),
  },
  ...violating('Error', {
    '429-empty': ['a 429 has no body', withBody(OVER_LIMIT, () => undefined)],
    '429-nested': ['the Error of a 429 is nested', withObject(OVER_LIMIT, (error) => ({ error }))],
  }),
  {
    id: '429-code-missing',
    summary: 'the Error of a 429 has no code',
    violates: ['Error.code'],
    ...withoutField(OVER_LIMIT, 'code'),
  },
  {
    id: '429-message-null',
    summary: 'the message of a 429 is null',
    violates: ['Error.message'],
    ...withField(OVER_LIMIT, 'message', null),
  },
  ...violating('Error.status', {
    '429-status-503': ['status is 503 in the Error of a 429', withField(OVER_LIMIT, 'status', 503n)],
    '429-status-text': ['the status of a 429 is a string', withField(OVER_LIMIT, 'status', '429')],
  }),
];

/** Responses to requests over the limit. */
export const limiterRefusalFaults: readonly Fault[] = [...instead, ...bodies];
