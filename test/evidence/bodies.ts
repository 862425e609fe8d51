import type { Exchange } from '../../src/model/exchange.ts';
import type { Json } from '../../src/model/json.ts';
import { valuesOf } from './headers.ts';
import { carriedBy, dueOf, isObject, type JsonObject } from './requests.ts';

type Shape = 'list' | 'Pet' | 'Message' | 'Error';

/** Interface: Endpoints. A class of statuses stands for each of its members. */
const BODIES: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  listPets: { 200: 'list' },
  createPet: { 201: 'Pet', 400: 'Error' },
  getPet: { 200: 'Pet', 404: 'Error' },
  getStoreOrders: {},
  sendMessage: { '2XX': 'Message', 400: 'Error' },
};

type Rule = (value: Json | undefined) => boolean;
const isText: Rule = (value) => typeof value === 'string';
const isInt64: Rule = (value) =>
  Number.isInteger(value) || (typeof value === 'bigint' && value < 2n ** 63n && value >= -(2n ** 63n));
const isStatus: Rule = (value) =>
  value === undefined || ['available', 'pending', 'sold'].some((each) => each === value);
const isTime: Rule = (value) => isText(value) && /^\d{4}-?(?:\d{2}|W)/.test(String(value));

/** Interface: Resources and their fields; Message submission. */
const FIELDS: Readonly<Record<Exclude<Shape, 'list'>, Readonly<Record<string, Rule>>>> = {
  Pet: { id: isInt64, name: isText, categoryId: isInt64, status: isStatus },
  Message: { id: isText, message: isText, status: isText, createdAt: isTime },
  Error: { code: isText, message: isText, status: (value) => Number.isInteger(value) },
};

function shapeOf({ operation, response }: Exchange): Shape | undefined {
  const status = response?.status ?? 0;
  if (status === 401 || status === 429) return 'Error';
  return BODIES[operation]?.[status] ?? BODIES[operation]?.[`${Math.floor(status / 100)}XX`];
}

/** Whether a body says something about its shape: where the interface leaves open what a request gets, only a success does. */
function isShown(exchange: Exchange, earlier: readonly Exchange[]): boolean {
  const status = exchange.response?.status ?? 0;
  if (exchange.key !== 'valid' || status < 300 || status === 429) return true;
  return dueOf(exchange, earlier).status !== undefined;
}

/** What leads elsewhere, or knows no such path, need not come from an operation of the service. */
function isRouting(status: number): boolean {
  return (status >= 300 && status <= 399) || [404, 405, 410].includes(status);
}

/** "All request and response bodies are JSON (`application/json`)"; and the shapes that are shown. */
export function wrongBody(exchange: Exchange, earlier: readonly Exchange[]): string[] {
  return [...wrongElsewhere(exchange), ...wrongDocument(exchange, earlier)];
}

function wrongDocument(exchange: Exchange, earlier: readonly Exchange[]): string[] {
  const { response } = exchange;
  if (!response) return [];
  const shape = isShown(exchange, earlier) ? shapeOf(exchange) : undefined;
  const owner = shape === 'list' ? 'listPets.200.body' : shape;
  const isEmpty = response.body === '' && !response.undecodable && !response.unread;
  if (isEmpty) return owner === undefined ? [] : [owner];
  if (shape === undefined && isRouting(response.status)) return [];
  const types = valuesOf(exchange, 'Content-Type').flatMap((type) => type.split(/,(?![^"]*")/));
  const isDeclared = types.length > 0 && types.every((type) => /^\s*application\/json\s*(?:;|$)/i.test(type));
  const names = isDeclared ? [] : ['service.content-type'];
  if (response.unread) return names;
  const body = carriedBy(exchange);
  if (body === undefined || response.body.startsWith('\ufeff'))
    return [...names, 'service.json', ...(owner === undefined || body !== undefined ? [] : [owner])];
  return [...names, ...wrongShape(body, shape, response.status)];
}

/** Good practice: a refusal that the interface does not describe is told as those that it does. */
function wrongElsewhere(exchange: Exchange): string[] {
  const { response, key } = exchange;
  const status = response?.status ?? 0;
  if (!response || response.unread || key !== 'valid' || status < 400 || shapeOf(exchange)) return [];
  const body = carriedBy(exchange);
  const isError = isObject(body) && wrongFields(body, FIELDS.Error).length === 0;
  return isError ? [] : ['errors.elsewhere'];
}

function wrongShape(body: Json, shape: Shape | undefined, status: number): string[] {
  if (shape === undefined) return [];
  if (shape === 'list')
    return Array.isArray(body)
      ? body.flatMap((each) => wrongShape(each, 'Pet', status))
      : ['listPets.200.body'];
  if (!isObject(body)) return [shape];
  const names = wrongFields(body, FIELDS[shape]).map((field) => `${shape}.${field}`);
  if (shape === 'Error' && body.status !== status) names.push('Error.status');
  return names;
}

function wrongFields(body: JsonObject, fields: Readonly<Record<string, Rule>>): string[] {
  return Object.entries(fields).flatMap(([name, isRight]) => (isRight(body[name]) ? [] : [name]));
}
