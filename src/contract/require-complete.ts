import { ContractError, type Gap, type Operation, type Schema } from '../model/contract.ts';

/** The most schemas that one schema may consist of: references that double at each step would fill the memory. */
const MAX_SCHEMAS = 1_000;

/**
 * Refuses an interface that says of itself that it is complete, if petspec cannot put all of it to the test: then no service
 * could be shown to conform.
 * @throws ContractError that names the operation
 */
export function requireComplete(operations: readonly Operation[], [gap]: readonly Gap[]): void {
  if (gap) throw new ContractError(`${gap.operation ?? 'the document'}: ${gap.reason}`);
  const untestable = operations.find(
    ({ method, path }) => method !== 'GET' && (method !== 'POST' || path.includes('{')),
  );
  if (untestable)
    throw new ContractError(
      `${untestable.id}: petspec sends no ${untestable.method} ${untestable.path}, so nothing could test what it must do`,
    );
  for (const { parameters, body, responses } of operations) {
    const schemas: Schema[] = [
      ...parameters.map(({ schema }) => schema),
      ...(body ? [body.schema] : []),
      ...responses.flatMap(({ schema }) => (schema ? [schema] : [])),
    ];
    for (const each of schemas) requireFinite(each, each['x-component'] ?? 'schema', { left: MAX_SCHEMAS });
  }
}

function requireFinite(schema: Schema, name: string, budget: { left: number }): void {
  budget.left -= 1;
  if (budget.left < 0)
    throw new ContractError(`${name}: its references expand to more than ${MAX_SCHEMAS} schemas`);
  if (schema['x-circular'])
    throw new ContractError(`${schema['x-component'] ?? name}: this schema contains itself`);
  const { items, properties = {} } = schema;
  for (const each of [...(items ? [items] : []), ...Object.values(properties)] as Schema[])
    requireFinite(each, name, budget);
}
