import { type Resource, reachableWithKey } from '../../contract/resources.ts';
import type { Operation } from '../../model/contract.ts';
import { OPEN } from '../../model/http/expectation.ts';
import type { Probe, Stage } from '../../model/probe.ts';
import { afterName, OTHER_KEY } from '../../requests/write-names.ts';

const NAME = new RegExp(`:(?:${Object.values(OTHER_KEY).join('|')})(?:-put|-patch)?$`);

/** Whether a probe is sent only if the user states a second key. */
export function isOfOtherKey({ id }: Pick<Probe, 'id'>): boolean {
  return NAME.test(id);
}

/** Makes a request for the second thing that the run created, or for the list. */
type MakeRequest = (operation: Operation, name: string, stage: Stage, title: string) => Probe | undefined;

/** Reads and changes of what the run created, with another key (`asking`), and a removal at the end. */
export function otherKeyProbes(
  resource: Resource,
  make: MakeRequest,
): { asking: Probe[]; removing: Probe[] } {
  const { read, list, replace, remove } = resource;
  const reachable = reachableWithKey(resource);
  const withOther = (operation: Operation | undefined, stage: Stage, title: string): Probe[] => {
    const probe =
      operation && reachable.includes(operation) && make(operation, OTHER_KEY.asked, stage, title);
    return probe ? [{ ...probe, key: 'second', validity: 'open', expectation: OPEN }] : [];
  };
  const withOwn = (name: string, stage: Stage, title: string): Probe[] => {
    const probe = read && make(read, name, stage, title);
    return probe ? [{ ...probe, validity: 'open', expectation: OPEN }] : [];
  };
  const changes = replace.flatMap((operation) => {
    const change = withOther(operation, 'keys', `another key changes what was created (${operation.method})`);
    const title = `what was created, after another key tried to change it (${operation.method})`;
    return change.length === 0 ? [] : [...change, ...withOwn(afterName(operation.method), 'keys', title)];
  });
  const removal = withOther(remove, 'remove', 'another key removes what was created');
  const after = 'what was created, after another key tried to remove it';
  return {
    asking: [
      ...withOwn(OTHER_KEY.before, 'keys', 'what was created, before another key asks for it'),
      ...withOther(read, 'keys', 'another key reads what was created'),
      ...withOther(list, 'keys', 'another key lists what was created'),
      ...changes,
    ],
    removing: removal.length === 0 ? [] : [...removal, ...withOwn(OTHER_KEY.afterRemoval, 'remove', after)],
  };
}
