import {
  type Check,
  eachExchange,
  headerValues,
  isSound,
  met,
  notTested,
  observe,
  ownedCheck,
  parseJson,
  schemaErrors,
  stringifyJson,
  unobservable,
  violated,
} from '../src/suite.ts';
import { animalOf, animalsOf, returnedBody } from './animals.ts';
import { nothingAdded } from './refused.ts';

/** Resources: every response is JSON over HTTP. Checks of fields are derived. */
export const resources: readonly Check[] = [
  ownedCheck('service.http', () => true, 'every-exchange'),
  ownedCheck('service.content-type', () => true, 'every-exchange'),
  ownedCheck('service.json', () => true, 'every-exchange'),

  observe(
    'open.latency',
    (probe) => probe.key === 'valid',
    (seen) => {
      const times = seen
        .map(({ exchange }) => exchange.receivedAt - exchange.sentAt)
        .sort((left, right) => left - right);
      return `median ${Math.round(times[Math.floor(times.length / 2)] ?? 0)} ms, longest ${Math.round(times.at(-1) ?? 0)} ms`;
    },
  ),
  observe(
    'open.extra-fields',
    (probe) => probe.operation !== 'sendMessage',
    (seen) => {
      const extra = seen.flatMap((judged) => {
        const schema = judged.documented?.schema?.items ?? judged.documented?.schema;
        if (!isSound(judged) || !schema?.properties) return [];
        const documented = Object.keys(schema.properties);
        const names = new Set<string>();
        for (const animal of [...animalsOf(judged), animalOf(judged)])
          for (const name of Object.keys(animal)) names.add(name);
        return [...names]
          .filter((name) => !documented.includes(name))
          .map((name) => `${schema['x-component'] ?? judged.operation.id}.${name}`);
      });
      return extra.length === 0
        ? 'no other fields'
        : `other fields: ${[...new Set(extra)].slice(0, 20).join(', ')}`;
    },
  ),
  unobservable('open.category', 'petspec sees only the ids of categories'),
  unobservable('open.transitions', 'no operation changes a status'),
  unobservable('open.events', 'petspec does not look for them'),
];

/** Authentication: a wrong key is refused, the right one is accepted. The check that operations use 401 is derived. */
export const authentication: readonly Check[] = [
  // An operation that refuses a key must not execute the request.
  nothingAdded(
    ownedCheck('authentication.key', (probe) => probe.rule === 'authentication.key'),
    401,
    (probe) => probe.key !== 'valid',
  ),
  ownedCheck('authentication.scheme', (probe) => probe.rule === 'authentication.scheme'),

  ownedCheck('authentication.first', (probe) => probe.rule === 'authentication.first'),
  // The plainest request of each operation, and the requests for which only a 401 or a 5xx is wrong.
  ownedCheck(
    'authentication.accepted',
    ({ key, expectation, controls }) =>
      key === 'valid' && (expectation.kind === 'open' || controls.length === 0),
  ),

  eachExchange(
    { requirement: 'authentication.challenge', probes: (probe) => probe.key !== 'valid', of: 'answered' },
    ({ exchange }) => {
      if (exchange.response?.status !== 401) return undefined;
      if (headerValues(exchange.response.headers, 'WWW-Authenticate').length > 0) return 'held';
      return {
        reason: 'a 401 has no challenge',
        expected: 'WWW-Authenticate: Bearer',
        received: 'no WWW-Authenticate header',
        headers: ['WWW-Authenticate'],
      };
    },
  ),

  unobservable('open.key-origin', 'the platform issues keys, outside this interface'),
  unobservable('open.ban', 'petspec sends nothing while a window is closed, so it is never banned'),
];

/** A fault in all errors is reported by one of these. */
const OF_ERRORS = [
  'Error',
  'Error.code',
  'Error.message',
  'Error.status',
  'service.json',
  'service.content-type',
];

/** Errors: checks of documented errors are derived. For other errors, the same shape is good practice. */
export const errors: readonly Check[] = [
  eachExchange(
    {
      requirement: 'errors.elsewhere',
      probes: (probe) => probe.key === 'valid',
      of: 'answered',
      needs: OF_ERRORS,
    },
    (judged, { contract }) => {
      const { response } = judged.exchange;
      if (!response || response.status < 400 || judged.documented || response.unread) return undefined;
      const shapes = contract.operations
        .flatMap(({ responses }) => responses)
        .filter(({ bodyRequirement }) => bodyRequirement === 'Error');
      const schema = shapes[0]?.schema;
      const body = parseJson(response.body);
      const isShaped = !schema || (body.ok && schemaErrors(schema, body.value).length === 0);
      const { status } = returnedBody(judged);
      if (isShaped && schema && Number(status) !== response.status)
        return {
          reason: 'the status of an undocumented Error is not the HTTP status',
          expected: `status: ${response.status}`,
          received: `status: ${stringifyJson(status)}`,
          pointer: '/status',
        };
      if (isShaped) return 'held';
      const received = `status ${response.status} with another body`;
      return {
        reason: 'an undocumented error response does not have the shape Error',
        expected: 'an Error',
        received,
      };
    },
  ),

  observe(
    'open.error-codes',
    (probe) => probe.validity === 'invalid',
    (seen) => {
      const codes = seen
        .filter(({ value }) => value !== undefined)
        .map(
          (judged) => `${judged.exchange.response?.status}: ${stringifyJson(animalOf(judged).code ?? null)}`,
        );
      return codes.length === 0 ? undefined : [...new Set(codes)].join(', ');
    },
  ),
];

/** Versioning: the version is part of the address. The deprecation is judged with the deprecated operation. */
export const versioning: readonly Check[] = [
  {
    requirement: 'versioning.address',
    phase: 'functional',
    probes: (probe) => probe.stage === 'first',
    needs: [],
    judge({ baseUrl, judged, contract: { basePath = '' } }) {
      // A recording may have only requests to the message address.
      if (!URL.canParse(baseUrl)) return notTested('no-traffic', 'the base address is not known');
      const [first] = judged.filter(({ exchange }) => exchange.address === 'baseUrl');
      if (judged.length > 0 && !first) return notTested('no-traffic', 'no request was for the base address');
      const evidence = first ? [first.exchange.id] : [];
      if (new URL(baseUrl).pathname.replace(/\/+$/, '').endsWith(basePath)) return met(evidence);
      return violated(
        {
          kind: 'meaning',
          reason: `the base address does not end with ${basePath}`,
          expected: `an address that ends with ${basePath}`,
          received: baseUrl,
        },
        evidence,
      );
    },
  },
  unobservable('open.stability', 'no response shows it'),
  unobservable('open.policy', 'no response shows it'),
];
