import { withField } from '../../changes/changes.ts';
import type { Fault } from '../fault.ts';
import { creatingOther, keepingOther } from '../mistakes.ts';

type Rename = (name: string) => string;

/** A name that POST /pets returns changed, and that is stored as returned. */
export function echoed(id: string, summary: string, change: Rename): Fault {
  const hook = creatingOther((animal) => ({ ...animal, name: change(animal.name) }));
  return { id, summary, violates: ['createPet.echo'], ...hook };
}

/** A name that POST /pets returns unchanged, and that is stored changed. */
export function stored(id: string, summary: string, change: Rename): Fault {
  const hook = keepingOther((animal) => ({ ...animal, name: change(animal.name) }));
  return { id, summary, violates: ['getPet.stored'], ...hook };
}

/** A name that only lists show changed. */
export function listed(id: string, summary: string, change: Rename): Fault {
  const hook = withField({ operation: 'listPets', status: 200 }, 'name', (name) => change(String(name)));
  return { id, summary, violates: ['listPets.stored'], ...hook };
}
