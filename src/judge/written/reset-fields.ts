import { essence } from '../../contract/document/media-type.ts';
import { type Exchange, headerValue } from '../../model/exchange.ts';
import type { Json } from '../../model/json.ts';
import { contradicts, isEmpty, shows } from './compare.ts';
import { type Fields, isFields } from './fields.ts';

/** Whether a request changes what it names and leaves everything else as it is (RFC 7396). Other media types do not say so. */
export function isMergePatch({
  method,
  requestHeaders,
}: Pick<Exchange, 'method' | 'requestHeaders'>): boolean {
  const type = headerValue(requestHeaders, 'Content-Type') ?? '';
  return method === 'PATCH' && essence(type) === 'application/merge-patch+json';
}

/** What is known of a thing when it is patched. */
interface Patched {
  /** What the client itself had set. */
  set: Fields;
  /** What was read before the patch. */
  old: Fields;
  patch: Fields;
  /** What the response to the patch shows, or a read after it. */
  now: Fields;
}

/**
 * The fields that a merge patch did not name, and that have another value since, although the client had set them and read them as
 * it had set them: by their names, from the outermost one on. What a service computes itself may change.
 * @param isStrict whether each change counts; otherwise only one that nobody makes on purpose: to nothing, or to 0
 */
export function resetFields({ set, old, patch, now }: Patched, isStrict: boolean): string[][] {
  return Object.keys(set).flatMap((name): string[][] => {
    const [was, before, is] = [own(set, name), own(old, name), own(now, name)];
    const named = own(patch, name);
    if (was === undefined || isEmpty(before) || before === undefined) return [];
    if (named !== undefined) {
      if (![was, before, named, is].every(isFields)) return [];
      const inner = { set: was, old: before, patch: named, now: is } as Patched;
      return resetFields(inner, isStrict).map((each) => [name, ...each]);
    }
    const isSame = !shows(before, was) || !contradicts(is ?? null, before);
    const isOnPurpose = !isStrict && !isEmpty(is) && is !== 0;
    return isSame || isOnPurpose ? [] : [[name]];
  });
}

/** The value of a field, by the names that lead to it. */
export function valueAt(fields: Fields, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inside, name) => (isFields(inside) ? own(inside, name) : undefined),
    fields,
  );
}

function own(fields: Fields, name: string): Json | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
