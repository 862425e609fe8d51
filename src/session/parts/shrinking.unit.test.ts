import { expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import type { Probe } from '../../model/probe.ts';
import type { Generate } from '../terms/types.ts';
import { Shrinking } from './shrinking.ts';

const probeAt = (path: readonly number[]) => ({ id: `listItems:generated-${path.join('.')}` }) as Probe;

/** Each request has three smaller ones, up to three steps; those whose steps are all 1 fail. */
const generate: Generate = (path) => (path.length <= 4 && (path.at(-1) ?? 0) < 3 ? probeAt(path) : undefined);
const violated = ({ probe }: { probe: string }) => (/-0(?:\.1)*$/.test(probe) ? ['listItems.200'] : []);

let lastId = 0;
const answerTo = (probe: Probe) => exchange({ id: ++lastId, probe: probe.id });
const pathOf = ({ id }: Probe) => id.split('-')[1]?.split('.').map(Number) ?? [];

test('a failure is made smaller until nothing smaller fails', () => {
  const shrinking = new Shrinking(generate, violated);
  const first = answerTo(probeAt([0]));
  shrinking.received(probeAt([0]), [0], first);
  const sent: string[] = [];
  for (let next = shrinking.next(); next; next = shrinking.next()) {
    expect(shrinking.next()).toBeUndefined();
    sent.push(next.id);
    shrinking.received(next, pathOf(next), answerTo(next));
  }
  expect(sent.map((each) => each.split('-')[1])).toEqual([
    '0.0',
    '0.1',
    '0.1.0',
    '0.1.1',
    '0.1.1.0',
    '0.1.1.1',
  ]);
  const [taken, ...others] = shrinking.taken;
  expect(others).toEqual([]);
  expect(taken).toMatchObject({ shownBy: first.id + 6, variations: [], requirement: 'listItems.200' });
  expect(taken?.others).toEqual([first.id, first.id + 2, first.id + 4]);
  expect(taken?.isUnfinished).toBeUndefined();
});

test('if no request is left, the first failure is shown, and marked', () => {
  const shrinking = new Shrinking(generate, violated);
  const first = answerTo(probeAt([0]));
  shrinking.received(probeAt([0]), [0], first);
  expect(shrinking.taken).toEqual([
    { shownBy: first.id, variations: [], others: [], requirement: 'listItems.200', isUnfinished: true },
  ]);
});

test('what does not fail is not made smaller', () => {
  const shrinking = new Shrinking(generate, violated);
  shrinking.received(probeAt([2]), [2], answerTo(probeAt([2])));
  expect(shrinking.next()).toBeUndefined();
  expect(shrinking.taken).toEqual([]);
});

test('another failure of the same requirement belongs to the first', () => {
  const shrinking = new Shrinking(
    () => undefined,
    () => ['listItems.200'],
  );
  const [one, other] = [answerTo(probeAt([0])), answerTo(probeAt([5]))];
  shrinking.received(probeAt([0]), [0], one);
  shrinking.received(probeAt([5]), [5], other);
  expect(shrinking.next()).toBeUndefined();
  expect(shrinking.taken).toMatchObject([{ shownBy: one.id, others: [other.id] }]);
});
