import { type DocumentedBody, judgeBody } from '../../src/judge/exchange/body.ts';
import type { DocumentedResponse } from '../../src/model/contract.ts';
import type { Received } from '../../src/model/exchange.ts';

/** A response with an animal, as an interface documents it. */
export const PET: DocumentedResponse = {
  status: '200',
  requirement: 'getPet.200',
  description: 'Pet.',
  section: 'Pet',
  headers: [],
  mediaType: 'application/json',
  bodyRequirement: 'Pet',
  schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
  links: [],
};

/** A response that fits it, changed. */
const responseWith = (change: Partial<Received>): Received => ({
  status: 200,
  headers: [['Content-Type', 'application/json']],
  body: '{"id":1}',
  ...change,
});

/** What is judged of the body of such a response. */
export const judge = (change: Partial<Received>, documented: DocumentedBody = PET) =>
  judgeBody(responseWith(change), documented);
