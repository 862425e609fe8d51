import { expect, test } from 'vitest';
import { knownKeys } from './redactions.ts';

const keyOf = (client: number) => `key-of-client-${client}-x`;

/** What is left of a text of one exchange, after so many clients with keys of their own. */
function leftOf(text: string, own: string, clients: number): string {
  const redactionFor = knownKeys(() => false);
  for (let client = 0; client < clients; client += 1) redactionFor([keyOf(client)]);
  return redactionFor([own])(text);
}

test.each([3, 50, 99])('a key is found in the exchange of another client, of %i clients', (clients) => {
  expect(leftOf(`for ${keyOf(0)} and ${keyOf(clients)}`, keyOf(clients), clients)).not.toContain('key-of');
});

test.each([3, 50, 300])('the key of an exchange is found in each of its forms, of %i clients', (clients) => {
  const own = 'own key/of+this&client';
  const forms = [own, encodeURIComponent(own), Buffer.from(own).toString('hex'), own.toUpperCase()];
  const left = leftOf(forms.join(' | '), own, clients);
  for (const form of forms) expect(left).not.toContain(form);
});

test('what is no key stays', () => {
  expect(leftOf('a list of animals', keyOf(1), 50)).toBe('a list of animals');
});
