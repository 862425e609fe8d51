import { answering } from '../../changes/changes.ts';
import { errorAnswer } from '../../http/answer.ts';
import { NEEDLESS_ESCAPE } from '../../http/needless-escape.ts';
import { type Variant, variantOf } from '../variant.ts';

const SPELLING = 'Endpoints: whether a target may contain needless percent-escapes is not said';
const FORWARDED = 'Endpoints: what a header of a proxy gets that comes from a client is not said';

const isEscaped = { when: ({ target }: { target: string }) => NEEDLESS_ESCAPE.test(target) };
const isForwarded = ({ headers }: { headers: Record<string, unknown> }) => 'x-forwarded-for' in headers;

/** What is in front of a service may reject a request that means the same as another. */
export const frontVariants: readonly Variant[] = [
  variantOf(
    'escapes-rejected',
    'a target with a needless escape, such as %6Cimit for limit, gets 400',
    SPELLING,
    answering(isEscaped, () => errorAnswer(400, 'bad_target', 'The target has a needless escape.')),
  ),
  variantOf(
    'escapes-unknown',
    'a target with a needless escape gets 404, which does not count',
    SPELLING,
    { settings: { limiter: { counts4xx: false } } },
    answering(isEscaped, () => errorAnswer(404, 'unknown_target', 'The target does not exist.')),
  ),
  variantOf(
    'escapes-unknown-orders',
    'a target with a needless escape gets 404, and only GET /store/orders is limited',
    SPELLING,
    { settings: { limiter: { covers: ['getStoreOrders'] } } },
    answering(isEscaped, () => errorAnswer(404, 'unknown_target', 'The target does not exist.')),
  ),
  variantOf(
    'forwarded-rejected',
    'a request with X-Forwarded-For gets 403 before it reaches the limiter',
    FORWARDED,
    {
      around: (call, next) =>
        isForwarded(call) ? errorAnswer(403, 'forwarded', 'X-Forwarded-For is not allowed.') : next(call),
    },
  ),
];
