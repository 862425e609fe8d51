import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { whole } from '../model/large/steps.ts';
import { deriveProbes } from '../probes/derive.ts';
import { derivingChecks } from './derived-checks.ts';

const content = (schema: object) => ({ description: 'x', content: { 'application/json': { schema } } });
const get = (operationId: string, responses: object) => ({ get: { operationId, responses } });

/** A service for forms: an operation is named like a part of its requirements, another one like what a third one responds with. */
const contract = loadContract({
  openapi: JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Forms', version: '1' },
    paths: {
      '/responses': get('forms.responses.list', { 200: content({ type: 'array' }) }),
      '/health': get('health', { 200: content({ $ref: '#/components/schemas/Status' }) }),
      '/status': get('Status', { 204: { description: 'x' } }),
    },
    components: { schemas: { Status: { type: 'object', properties: { isUp: { type: 'boolean' } } } } },
  }),
  requirements: '{}',
});
const checks = whole(derivingChecks)(contract);
const probes = deriveProbes(contract);

test.each<[requirement: string, operations: string[]]>([
  ['forms.responses.list.responses', ['forms.responses.list']],
  ['Status.responses', ['Status']],
  ['Status.204', ['Status']],
  ['Status', ['health']],
  ['Status.isUp', ['health']],
])('%s is shown by %j, whatever else has such a name', (requirement, operations) => {
  const check = checks.find((each) => each.requirement === requirement);
  const shownBy = probes.filter((probe) => check?.probes(probe)).map(({ operation }) => operation);
  expect([...new Set(shownBy)]).toEqual(operations);
  expect([...(check?.operations?.keys() ?? [])]).toEqual(operations);
});
