import {
  cutShort,
  hanging,
  onAnswer,
  resetting,
  withBody,
  withField,
  withObject,
  withoutField,
  withStatus,
} from '../../changes/changes.ts';
import { page } from '../building-blocks.ts';
import type { Fault } from '../fault.ts';

const ENFORCED = 'TooManyRequests';
const refused = { status: 429 } as const;

/** Requests over the limit that are answered, or not answered, by something else than a 429. */
const instead: readonly Fault[] = [
  {
    id: 'refused-503',
    summary: 'over the limit comes 503',
    violates: [ENFORCED],
    ...withStatus(refused, 503),
  },
  {
    id: 'refused-403',
    summary: 'over the limit comes 403',
    violates: [ENFORCED],
    ...withStatus(refused, 403),
  },
  {
    id: 'refused-401',
    summary: 'over the limit the key is said to be wrong: 401',
    violates: [ENFORCED],
    ...withStatus(refused, 401),
  },
  {
    id: 'refused-420',
    summary: 'over the limit comes 420',
    violates: [ENFORCED],
    ...withStatus(refused, 420),
  },
  {
    id: 'refused-302',
    summary: 'over the limit a redirect leads to a larger plan',
    violates: [ENFORCED],
    ...onAnswer(refused, ({ headers }) => ({
      status: 302,
      headers: [...headers.filter(([name]) => name !== 'Content-Type'), ['Location', '/upgrade']],
      body: undefined,
    })),
  },
  {
    id: 'refused-200-error',
    summary: 'over the limit comes 200 with an Error that says 429',
    violates: [ENFORCED],
    ...onAnswer(refused, (answer) => ({ ...answer, status: 200 })),
  },
  {
    id: 'refused-200-empty',
    summary: 'over the limit every list is empty',
    violates: [ENFORCED],
    ...onAnswer(refused, (answer) => ({ ...answer, status: 200, body: [] })),
  },
  {
    id: 'refused-reset',
    summary: 'over the limit the connection is reset',
    violates: [ENFORCED],
    ...resetting(refused, 'nothing'),
  },
  {
    id: 'refused-closed',
    summary: 'over the limit the connection is closed without an answer',
    violates: [ENFORCED],
    ...cutShort(refused, 'nothing'),
  },
  {
    id: 'refused-hang',
    summary: 'over the limit no answer comes',
    violates: [ENFORCED],
    ...hanging(refused, 'nothing'),
  },
];

/** Refusals whose body is no Error. */
const bodies: readonly Fault[] = [
  {
    id: '429-html',
    summary: 'a 429 is a page of the gateway',
    violates: ['service.content-type'],
    ...onAnswer(refused, ({ headers }) => ({
      ...page(429),
      headers: headers.map(([name, value]) => [name, name === 'Content-Type' ? 'text/html' : value]),
    })),
  },
  {
    id: '429-text',
    summary: 'a 429 says in plain words, as JSON, that there were too many requests',
    violates: ['service.json'],
    ...withBody(refused, () => 'Too Many Requests'),
  },
  {
    id: '429-empty',
    summary: 'a 429 has no body',
    violates: ['Error'],
    ...withBody(refused, () => undefined),
  },
  {
    id: '429-nested',
    summary: 'the Error of a 429 is nested',
    violates: ['Error'],
    ...withObject(refused, (error) => ({ error })),
  },
  {
    id: '429-code-missing',
    summary: 'the Error of a 429 has no code',
    violates: ['Error.code'],
    ...withoutField(refused, 'code'),
  },
  {
    id: '429-message-null',
    summary: 'the message of a 429 is null',
    violates: ['Error.message'],
    ...withField(refused, 'message', null),
  },
  {
    id: '429-status-503',
    summary: 'the Error of a 429 says status 503',
    violates: ['Error.status'],
    ...withField(refused, 'status', 503n),
  },
  {
    id: '429-status-text',
    summary: 'the status of a 429 is a string',
    violates: ['Error.status'],
    ...withField(refused, 'status', '429'),
  },
];

/** What is answered to requests over the limit. */
export const limiterRefusalFaults: readonly Fault[] = [...instead, ...bodies];
