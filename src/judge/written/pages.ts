import type { ListParameter } from '../../contract/things/lists.ts';
import { met, violated } from '../../model/finding.ts';
import { type Json, sameJson, stringifyJson } from '../../model/json.ts';
import type { Looking } from '../../model/large/looking.ts';
import { PAGES } from '../../requests/write-names.ts';
import { type Check, idsOf, unexercised } from '../evidence/check.ts';
import type { Judged } from '../evidence/judged.ts';
import { quote } from '../evidence/quote.ts';
import { hasId, isFields } from './fields.ts';

/** Whether two pages that follow each other have an entry twice: one with an id, since a list may have a text, a number or an event twice. */
export function pagesCheck(own: ListParameter, operation: string): Check {
  const { name } = own.parameter;
  const ids = PAGES.map((each) => `${operation}:${name}=${each}`);
  const looking: Looking = {
    requirement: own.requirement,
    operations: new Set([operation]),
    probes: ({ id }) => ids.includes(id),
  };
  return {
    phase: 'functional',
    ...looking,
    needs: [],
    judge(evidence) {
      const pages = ids.flatMap((id) => evidence.judged.find((each) => each.probe.id === id) ?? []);
      const [first = [], next = []] = pages.map((each) => entriesOf(own, each));
      if (first.length === 0 || next.length === 0) return unexercised(evidence, looking);
      const twice = first.find((each) => next.some((other) => sameJson(each, other)));
      const exchanges = idsOf(pages);
      if (twice === undefined) return met(exchanges);
      const deviation = {
        kind: 'sequence',
        reason: `an entry is in two pages that follow each other by ${name}`,
        expected: 'each entry once',
        received: `${quote(stringifyJson(twice))} in both`,
        repetition: { kind: 'in-turn', exchanges },
        deviating: exchanges.slice(-1),
      } as const;
      return violated(deviation, exchanges.toReversed());
    },
  };
}

/** The things with an id of a page; none of one that is longer than was asked for, which is a finding already. */
function entriesOf(own: ListParameter, judged: Judged): readonly Json[] {
  const entries = entriesIn(own, judged) ?? [];
  const size = new URL(judged.exchange.url).searchParams.get(own.size?.name ?? '');
  return size !== null && entries.length > Number(size) ? [] : entries.filter(hasId);
}

/** The entries of a list in a 200; undefined if it shows none. */
export function entriesIn(
  { property }: Pick<ListParameter, 'property'>,
  { exchange, value }: Judged,
): readonly Json[] | undefined {
  const list = property === undefined ? value : isFields(value) ? value[property] : undefined;
  return exchange.response?.status === 200 && Array.isArray(list) ? list : undefined;
}
