import { type Check, eachExchange, observe, parseJson, schemaErrors, stringifyJson } from '../src/suite.ts';
import { animalOf, returnedBody } from './animals.ts';

/** A fault of every Error belongs to one of these. */
const OF_ERRORS = [
  'Error',
  'Error.code',
  'Error.message',
  'Error.status',
  'service.json',
  'service.content-type',
];

/** Errors: checks of documented ones are derived. For other errors the same shape is good practice. */
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
        .map((each) => `${each.exchange.response?.status}: ${stringifyJson(animalOf(each).code ?? null)}`);
      return codes.length === 0 ? undefined : [...new Set(codes)].join(', ');
    },
  ),
];
