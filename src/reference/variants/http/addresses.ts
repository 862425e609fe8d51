import type { Change } from '../../changes/change.ts';
import { onAnswer } from '../../changes/changes.ts';
import { jsonAnswer } from '../../http/answer.ts';
import type { Answer, Call } from '../../index.ts';
import { type Variant, variantOf } from '../variant.ts';

const NOT_SHOWN =
  'What the service does: "All paths below are relative to the base address"; other spellings are not shown';

/** Whether a request goes to another spelling of an address, without a key. */
const isSpelled = ({ path, listener, key }: Call) =>
  listener === 'animals' && key !== 'valid' && /\/\/|\/$|%/.test(path);

const spelled = (change: (answer: Answer, call: Call) => Answer): Change =>
  onAnswer({ when: isSpelled }, change);

/** What a router or a gateway may return at other spellings of an address: anything but animals. */
export const addressVariants: readonly Variant[] = [
  variantOf(
    'address-redirected',
    'other spellings of an address are redirected to the usual one, by a router without rate limit headers',
    NOT_SHOWN,
    spelled((_, { path }) => ({
      status: 308,
      headers: [['Location', path.replaceAll(/\/+/g, '/').replace(/\/$/, '').replaceAll('%65', 'e')]],
      body: undefined,
    })),
  ),
  variantOf(
    'address-page',
    'at other spellings of an address a static page is returned with 200',
    NOT_SHOWN,
    spelled(() => ({ status: 200, headers: [['Content-Type', 'text/html']], body: '<html>animals</html>' })),
  ),
  variantOf(
    'address-nothing',
    'at other spellings of an address nothing is found: 200 with an empty list',
    NOT_SHOWN,
    spelled(() => jsonAnswer(200, [])),
  ),
  variantOf(
    'address-502',
    'a gateway passes other spellings of an address on to a service that does not exist: 502',
    NOT_SHOWN,
    spelled(() => ({ status: 502, headers: [], body: 'bad gateway' })),
  ),
];
