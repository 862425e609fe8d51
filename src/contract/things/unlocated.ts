import type { Json } from '../../model/json.ts';
import type { Resource } from '../resources.ts';
import { type Creation, listedWith, ownTextsIn } from './creation.ts';

/** Creations that succeeded and did not say what they created: a list that shows their texts says where it is. */
export class Unlocated<Key> {
  readonly #all = new Map<Key, { resource: Resource; texts: ReadonlySet<string> }>();

  add(key: Key, resource: Resource, requestBody: string | undefined): void {
    this.#all.set(key, { resource, texts: ownTextsIn(requestBody) });
  }

  /**
   * What a list of such things shows of these creations. It is not looked for again.
   * @param url of the list
   * @param isNew whether no response showed an id before
   */
  in(
    resource: Resource,
    url: string,
    body: Json | undefined,
    isNew = (_id: string) => true,
  ): [Key, Creation][] {
    return [...this.#all].flatMap(([key, { resource: of, texts }]): [Key, Creation][] => {
      if (of.create.id !== resource.create.id) return [];
      const [found, ...others] = listedWith(resource, url, body, texts);
      if (!found || others.length > 0 || !isNew(found.id)) return [];
      this.#all.delete(key);
      return [[key, found]];
    });
  }
}
