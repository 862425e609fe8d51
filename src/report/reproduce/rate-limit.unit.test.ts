import { describe, expect, test } from 'vitest';
import {
  changed,
  creation,
  type How,
  list,
  read,
  refusal,
  scriptOf,
} from '../../../test/reproduce/scripts.ts';

describe('requests in turn, the last one again', () => {
  const inTurn = (exchanges: readonly number[], times: number): How => ({
    repetition: { kind: 'in-turn-and-again', exchanges, times },
  });
  /** What is sent by number, and what from then on. */
  const choices = (script: string) => [...script.matchAll(/^ {4}(\d+|\*)\) /gm)].map(([, number]) => number);

  test('until as many were sent as in the run', () => {
    const { script, warning } = scriptOf([list, creation, read], inTurn([1, 2, 3], 20));
    expect(choices(script)).toEqual(['1', '2', '*']);
    expect(script).toContain('n <= 20;');
    expect(script).toMatch(/ \*\) .*\/pets\/'"\$id"/);
    expect(warning).toBe('adds a record; sends up to 20 requests');
  });

  test('each once if there are no more', () => {
    const { script, warning } = scriptOf([list, creation], inTurn([1, 2], 2));
    expect(choices(script)).toEqual(['1', '2']);
    expect(warning).toBe('adds a record');
  });

  test('to the limit and one more if a refusal shows it', () => {
    const { script, warning } = scriptOf([list, creation, refusal], inTurn([1, 2, 4], 30));
    expect(choices(script)).toEqual(['1', '2', '*']);
    expect(script).toContain('n <= 62;');
    expect(warning).toBe('adds a record; uses up the rate limit of the key with up to 62 requests');
  });

  test('requests that the limit of the key does not count come on top', () => {
    const withoutKey = changed(list, { id: 5, key: 'absent', requestHeaders: [] });
    const elsewhere = changed(list, { id: 6, address: 'apiUrl', url: 'https://api.example.com/messages' });
    const last = changed(list, { id: 7 });
    const { script } = scriptOf([list, withoutKey, elsewhere, last], inTurn([1, 5, 6, 7], 20));
    expect(choices(script)).toEqual(['1', '2', '3', '*']);
    expect(script).toContain('n <= 22;');
  });

  test('an addition is sent once, and then one that adds nothing', () => {
    const invalid = changed(creation, {
      id: 5,
      probe: 'createPet:name-missing',
      requestBody: '{"categoryId":1}',
      response: { status: 400, headers: [], body: '{}' },
    });
    const { script, warning } = scriptOf([list, invalid, creation], inTurn([1, 2], 9));
    expect(choices(script)).toEqual(['1', '2', '*']);
    expect(script).toMatch(/ 2\) .*Rex/);
    expect(script).toMatch(/ \*\) .*--data-raw '\{"categoryId":1\}'/);
    expect(warning).toBe('adds a record; sends up to 9 requests');
  });

  test('a varied request is sent as it was', () => {
    const forwarded = changed(list, {
      id: 5,
      variation: 'forwarded-for',
      requestHeaders: [...list.requestHeaders, ['x-forwarded-for', '203.0.113.7']],
    });
    const { script } = scriptOf([list, forwarded], inTurn([1, 5], 9));
    expect(script).toMatch(/ \*\) .*-H 'x-forwarded-for: 203\.0\.113\.7'/);
    expect(script).not.toMatch(/ 1\) .*x-forwarded-for/);
  });
});
