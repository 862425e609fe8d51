/** A path parameter whose value is looked for in responses. */
export interface WantedParameter {
  name: string;
  /** Its type, if the document says so. */
  type?: string | undefined;
  /** Whether it follows another parameter, such as the owner of a repository: the resource may then have no id of its own. */
  isOfPair: boolean;
  /** The noun of the path for its resources, in the singular: `book` for `/books/{id}`. */
  noun: string;
}

/** Names of ids: after the noun of a resource, another resource refers to it by this name. */
const IDS = ['uuid', 'guid', 'sid', 'id', 'key'];

/** Endings of parameter names that also name the field with their value. */
const KEYS = [...IDS, 'slug', 'name', 'number', 'code'];

/** Fields that identify a resource without an `id`. */
export const OTHER_KEYS: readonly string[] = ['slug', 'key', 'code', 'name'];

/** Fields that wrap a resource: of envelopes, JSON:API, OData and GraphQL connections. */
const WRAPPERS = new Set([
  'data',
  'item',
  'node',
  'payload',
  'resource',
  'result',
  'record',
  'object',
  'attributes',
]);

/** Names that many resources have: such a field of another resource is not the wanted one. */
const GENERAL = new Set(
  'active,category,color,content,count,country,currency,data,date,day,description,email,enabled,end,format,from,group,index,kind,lang,language,level,limit,locale,method,mode,month,object,offset,order,page,path,period,query,range,region,resource,result,role,size,sort,source,start,state,status,tag,target,text,time,title,to,type,unit,url,value,version,week,year'.split(
    ',',
  ),
);

/** The letters and digits of a name, in lower case. */
export function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Describes a path parameter whose value is wanted. */
export function wantedIn(path: string, name: string, type: string | undefined): WantedParameter {
  const [before = ''] = path.split(`{${name}}`);
  const segments = before.split('/').filter((segment) => segment !== '' && !segment.includes('{'));
  return { name, type, isOfPair: path.includes(`}/{${name}}`), noun: singular(bare(segments.at(-1) ?? '')) };
}

/** Plurals whose singular ends in -ie. */
const OF_IE = /(?:movie|cookie|calorie|zombie|^tie|^pie)s$/;

/** The singular of an English noun in lower case; a word that is no plural stays, but for its last s. */
function singular(noun: string): string {
  if (/(?:ss|us|is|^series|^species|^news)$/.test(noun)) return noun;
  if (OF_IE.test(noun)) return noun.slice(0, -1);
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  // Buses and addresses, but courses and houses.
  return noun.replace(/(?<=(?:ss|(?<![ao])us|ias|x|sh|z|(?<!ca)ch))es$|s$/, '');
}

/** The field of a resource that has the name of the parameter, or else the id of the resource that the parameter identifies. */
export function identifying(
  fields: readonly string[],
  { name: parameter, isOfPair, noun }: WantedParameter,
): string | undefined {
  const wanted = bare(parameter);
  const ends = KEYS.filter((key) => wanted.endsWith(key));
  const keys = ends.length > 0 ? ends : ['id'];
  const names = [
    wanted,
    ...keys,
    ...(KEYS.includes(wanted) ? keys.map((key) => noun + key) : []),
    ...(isOfPair ? OTHER_KEYS : []),
  ];
  return names
    .map((name) => fields.find((field) => bare(field) === name))
    .find((field) => field !== undefined);
}

/** The fields of a response that hold the resources themselves: the items of an envelope, or the field with the noun of the path. */
export function listing(fields: readonly string[], { noun }: Pick<WantedParameter, 'noun'>): string[] {
  return fields.filter((field) => wrapping([singular(bare(field))], { noun }).length > 0);
}

/** The fields of an entry that hold the resource itself: an envelope, or the field with the noun of the path. */
export function wrapping(fields: readonly string[], { noun }: Pick<WantedParameter, 'noun'>): string[] {
  return fields.filter((field) => WRAPPERS.has(bare(field)) || (noun !== '' && bare(field) === noun));
}

/** Whether other resources have parameters of this name: `{id}`, not `{bookId}`. */
export function isGeneral(name: string): boolean {
  return KEYS.includes(bare(name));
}

/**
 * The name under which any response may show the value, letters and digits only: `bookid` for `{bookId}` and for `/books/{id}`.
 * Undefined if fields of any resource may have the name.
 */
export function nameAnywhere({ name, noun }: WantedParameter): string | undefined {
  const parameter = bare(name);
  if (KEYS.includes(parameter)) return noun === '' || !IDS.includes(parameter) ? undefined : noun + parameter;
  return parameter.length < 3 || GENERAL.has(parameter) ? undefined : parameter;
}
