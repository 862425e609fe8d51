import type { Hooks } from './changes/change.ts';
import type { Answer, HeaderField } from './http/answer.ts';
import { errorAnswer, jsonAnswer } from './http/answer.ts';
import type { Call } from './http/call.ts';
import type { Animal } from './store.ts';
import { select } from './store.ts';
import { checkListQuery, checkMessage, checkNewPet, readInt64 } from './validation.ts';

/**
 * `GET /pets/{petId}` announces its removal: deprecated since 5 December 2025 (RFC 9745 §2), removed on
 * 5 December 2030 (RFC 8594 §3; interface: Versioning).
 */
const DEPRECATION: HeaderField[] = [
  ['Deprecation', `@${Date.UTC(2025, 11, 5) / 1000}`],
  ['Sunset', new Date(Date.UTC(2030, 11, 5)).toUTCString()],
];

/** Interface: GET /store/orders. It shows only the path, so these are a few constant orders. */
const ORDERS = [
  { id: 1n, petId: 1001n, status: 'placed' },
  { id: 2n, petId: 1007n, status: 'delivered' },
];

/** Executes the operation of a call, after authentication and limiter. */
export function operate(call: Call, hooks: Hooks): Answer {
  switch (call.operation) {
    case 'listPets':
      return listPets(call, hooks);
    case 'createPet':
      return createPet(call, hooks);
    case 'getPet':
      return getPet(call, hooks);
    case 'getStoreOrders':
      return jsonAnswer(200, ORDERS);
    case 'sendMessage':
      return sendMessage(call);
    case undefined:
      return unknownRoute(call);
  }
}

function listPets(call: Call, hooks: Hooks): Answer {
  const query = checkListQuery(call.query);
  if ('problem' in query) return invalid(query.problem);
  const listed = hooks.list(query.value, (wanted, from) => select(from ?? call.store.all(), wanted), call);
  return jsonAnswer(200, listed);
}

function createPet(call: Call, hooks: Hooks): Answer {
  if (call.bodyProblem !== undefined) return invalid(call.bodyProblem);
  const pet = checkNewPet(call.body);
  if ('problem' in pet) return invalid(pet.problem);
  const animal: Animal = hooks.create({ id: call.store.nextId(), ...pet.value }, call);
  const kept = hooks.keep(animal, call);
  if (kept !== undefined) call.store.put(kept);
  return jsonAnswer(201, animal, [['Location', `${call.path}/${animal.id}`]]);
}

function getPet(call: Call, hooks: Hooks): Answer {
  const id = readInt64(call.params.petId);
  const animal = id === undefined ? undefined : hooks.read(call.store.get(id), id, call);
  if (animal === undefined) return errorAnswer(404, 'not_found', 'no animal has this id', DEPRECATION);
  return jsonAnswer(200, animal, DEPRECATION);
}

function sendMessage(call: Call): Answer {
  if (call.bodyProblem !== undefined) return invalid(call.bodyProblem);
  const message = checkMessage(call.body);
  if ('problem' in message) return invalid(message.problem);
  return jsonAnswer(202, {
    id: `msg_${call.number}`,
    message: message.value,
    status: 'queued',
    createdAt: new Date(call.now).toISOString(),
  });
}

function unknownRoute(call: Call): Answer {
  if (call.allowed.length === 0) return errorAnswer(404, 'not_found', 'nothing is found at this path');
  const allow = call.allowed.join(', ');
  return errorAnswer(405, 'method_not_allowed', `this path allows ${allow}`, [['Allow', allow]]);
}

function invalid(problem: string): Answer {
  return errorAnswer(400, 'invalid_request', problem);
}
