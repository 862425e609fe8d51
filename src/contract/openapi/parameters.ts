import { ContractError, type Parameter, type Schema } from '../../model/contract.ts';
import { isJson } from '../../model/http/media-type.ts';
import { merged } from '../document/all-of.ts';
import { sinceOf } from '../sets.ts';
import {
  boolean,
  examplesIn,
  extension,
  node,
  type OperationContext,
  resolve,
  text,
  written,
} from './reading.ts';

/** A parameter of the operation replaces that of the path with the same name and place. */
export function parametersOf(place: OperationContext, sources: readonly unknown[]): Parameter[] {
  const parameters = sources
    .flatMap((source) => parameterOf(place, source) ?? [])
    .filter((parameter) => !isIgnored(parameter));
  const keyOf = (parameter: Parameter) => `${parameter.in} ${parameter.name}`;
  return [...new Map(parameters.map((parameter) => [keyOf(parameter), parameter])).values()];
}

/** OpenAPI ignores these, as the media types and the security of the operation state them. */
function isIgnored({ in: place, name }: Parameter): boolean {
  return place === 'header' && /^(?:accept|content-type|authorization)$/i.test(name);
}

/** @throws ContractError for a required parameter with an unknown place */
function parameterOf({ reading, onGap }: OperationContext, source: unknown): Parameter | undefined {
  const parameter = resolve(reading, source).value;
  const name = text(parameter.name) ?? '';
  const where = PLACES.find((place) => place === parameter.in);
  if (where === undefined) {
    const words =
      parameter.in === 'querystring'
        ? `the parameter '${name}' is the whole query (in: querystring), which petspec does not write`
        : `the parameter '${name}' is in '${written(parameter.in)}'; expected ${PLACES.join(', ')}`;
    if (parameter.required === true) throw new ContractError(words);
    onGap(words);
    return undefined;
  }
  const since = sinceOf(extension(reading, parameter, 'x-since'), name);
  const [[mediaType = '', media = undefined] = []] = Object.entries(node(parameter.content)).map(
    ([type, value]) => [type, node(value)] as const,
  );
  const schema = withoutNull(reading.schema(parameter.schema ?? media?.schema, 'request', onGap));
  const [example, ...examples] = [
    parameter.example,
    ...examplesIn(reading, parameter.examples),
    schema.example,
  ].filter((value) => value !== undefined);
  const isReserved = where === 'query' && parameter.allowReserved === true;
  if (isReserved && schema.type === 'object')
    onGap(`allowReserved of the parameter '${name}' is not judged, as its value is an object`);
  return {
    name,
    in: where,
    required: parameter.required === true || where === 'path',
    schema,
    example,
    examples,
    allowReserved: isReserved,
    style: text(parameter.style),
    explode: boolean(parameter.explode),
    isJson: parameter.schema === undefined && media !== undefined && isJson(mediaType),
    since,
  };
}

const PLACES: readonly Parameter['in'][] = ['query', 'path', 'header', 'cookie'];

/**
 * The schema of a parameter without the alternative null, for which the parameter is left out. FastAPI writes optional
 * parameters as `anyOf: [{ type: integer }, { type: 'null' }]`.
 */
function withoutNull(schema: Schema): Schema {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const { [keyword]: alternatives, ...beside } = schema;
    if (!Array.isArray(alternatives)) continue;
    const nonNull = (alternatives as Schema[]).filter(({ type }) => type !== 'null');
    const [only] = nonNull;
    if (only && nonNull.length === 1 && alternatives.length > 1)
      return { ...merged(beside, [only]), 'x-nullable': true };
  }
  return schema;
}
