/** A parameter of a path whose value is looked for. */
export interface WantedParameter {
  name: string;
  /** Its type, if the document says so. */
  type?: string | undefined;
  /** Whether it follows another parameter, such as the owner of a repository: then its thing may have no id of its own. */
  isOfPair: boolean;
  /** What the path calls the things, in the singular: `book` for `/books/{id}`. */
  noun: string;
}

/** The ends of names of parameters that say which field has their value. */
const KEYS = ['uuid', 'guid', 'sid', 'id', 'key', 'slug', 'name', 'number', 'code'];

/** Fields that identify a thing if it has no `id`. */
export const OTHER_KEYS: readonly string[] = ['slug', 'key', 'code', 'name'];

/** Names of fields around a thing: of envelopes, of JSON:API, of OData and of GraphQL connections. */
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

/** Names that say nothing of what they belong to: a field of another thing with such a name is not the wanted one. */
const GENERAL = new Set(
  'active,category,color,content,count,country,currency,data,date,day,description,email,enabled,end,format,from,group,index,kind,lang,language,level,limit,locale,method,mode,month,object,offset,order,page,path,period,query,range,region,resource,result,role,size,sort,source,start,state,status,tag,target,text,time,title,to,type,unit,url,value,version,week,year'.split(
    ',',
  ),
);

/** A name by its letters and digits alone. */
export function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** What is wanted as the value of a parameter of a path. */
export function wantedIn(path: string, name: string, type: string | undefined): WantedParameter {
  const [before = ''] = path.split(`{${name}}`);
  const segments = before.split('/').filter((each) => each !== '' && !each.includes('{'));
  return { name, type, isOfPair: path.includes(`}/{${name}}`), noun: singular(bare(segments.at(-1) ?? '')) };
}

function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(noun)) return noun;
  return noun.replace(/(?<=(?:s|x|ch|sh|z))es$|s$/, '');
}

/** Of the fields of a thing, the one with the name of the parameter, or else the id of the thing that the parameter is the id of. */
export function identifying(
  fields: readonly string[],
  { name: parameter, isOfPair, noun }: WantedParameter,
): string | undefined {
  const wanted = bare(parameter);
  const ends = KEYS.filter((each) => wanted.endsWith(each));
  const keys = ends.length > 0 ? ends : ['id'];
  const names = [
    wanted,
    ...keys,
    ...(KEYS.includes(wanted) ? keys.map((key) => noun + key) : []),
    ...(isOfPair ? OTHER_KEYS : []),
  ];
  return names.map((name) => fields.find((each) => bare(each) === name)).find((each) => each !== undefined);
}

/** Of the fields of an entry, those that hold the thing itself: an envelope, or the field with the noun of the path. */
export function wrapping(fields: readonly string[], { noun }: Pick<WantedParameter, 'noun'>): string[] {
  return fields.filter((each) => WRAPPERS.has(bare(each)) || (noun !== '' && bare(each) === noun));
}

/** Whether a parameter is called as those of other things are: `{id}`, not `{bookId}`. */
export function isGeneral(name: string): boolean {
  return KEYS.includes(bare(name));
}

/**
 * The name by which any response may show the value, without signs: `bookid` for `{bookId}` and for `/books/{id}`. Undefined if
 * the name could be that of anything.
 */
export function nameAnywhere({ name, noun }: WantedParameter): string | undefined {
  const own = bare(name);
  if (KEYS.includes(own))
    return noun === '' || !/^(?:uuid|guid|sid|id|key)$/.test(own) ? undefined : noun + own;
  return own.length < 3 || GENERAL.has(own) ? undefined : own;
}
