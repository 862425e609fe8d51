import { test } from 'vitest';
import { type Answer, downTo, exhausting, falling, refused, shown } from '../../../../test/limited-runs.ts';
import { explain } from './explain.ts';
import { judgeConstant } from '../headers.ts';
import { judgeCount } from '../count.ts';

test('x', () => {
  for (const limit of [60, 30]) {
  const messages = falling([limit - 1, limit - 2], { operation: 'sendMessage', status: 200, limit });
  const evidence = shown([...falling([59, 58, 57, 20, 58, 3, 57, 44, 59]), ...messages]);
  const { accounts, excluded } = explain(evidence);
  console.log(limit, accounts.map((a) => a.attempt.model.name), excluded?.kind, excluded?.observation.exchange.id, judgeConstant(evidence).status, judgeCount(evidence).status);
  }
});
