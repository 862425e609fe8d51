import type { Span } from '../../../limiter/models/span.ts';
import { type Exchange, headerValues } from '../../../model/exchange.ts';
import { FIRST_EPOCH, FIRST_EPOCH_MS, PREFIXES } from '../../../model/limits/rate-limit.ts';
import { secondsToReset } from '../../../model/limits/rate-plan.ts';
import { type ProfileExchange, type ProfileStatement, untold } from './statement.ts';

const FIGURES = ['Limit', 'Remaining', 'Reset'];

/** Resets are rounded to seconds, and requests take a while. */
const ROUNDED_S = 2;

/** What the headers of the limiter are, what they mean, and whether the responses bear them out. */
export function headerStatements(
  sent: readonly ProfileExchange[],
  windowMs: Span | undefined,
): ProfileStatement[] {
  const answered = sent.map(({ exchange }) => exchange);
  return [
    dialect(answered),
    resetForm(answered),
    resetMeaning(answered, windowMs),
    policy(answered, windowMs),
    retryAfterForm(answered),
    retryAfterHolds(sent),
  ].flatMap((statement) => statement ?? []);
}

function linesOf({ response }: Exchange, name: string): string[] {
  return headerValues(response?.headers ?? [], name);
}

function dialect(answered: readonly Exchange[]): ProfileStatement {
  for (const names of [
    ['RateLimit'],
    ...PREFIXES.map((prefix) => FIGURES.map((figure) => prefix + figure)),
  ]) {
    const isShown = (name: string) => answered.some((exchange) => linesOf(exchange, name).length > 0);
    const [first, ...others] = names.filter(isShown);
    const carrier = answered.find((exchange) => names.some((name) => linesOf(exchange, name).length > 0));
    if (first !== undefined && carrier)
      return { about: 'headers', value: first, text: [first, ...others].join(', '), shownBy: [carrier.id] };
  }
  return untold('headers', 'no response has rate limit headers of a dialect that petspec reads');
}

/** Whether Reset is a time or the seconds to go. */
function resetForm(answered: readonly Exchange[]): ProfileStatement | undefined {
  for (const exchange of answered)
    for (const prefix of PREFIXES) {
      const name = `${prefix}Reset`;
      const value = Number(linesOf(exchange, name)[0] || Number.NaN);
      if (Number.isNaN(value)) continue;
      const unit = value >= FIRST_EPOCH ? 'seconds since 1970' : 'seconds to go';
      const form = value >= FIRST_EPOCH_MS ? 'milliseconds since 1970' : unit;
      return { about: 'reset form', value: form, text: `${name} is in ${form}`, shownBy: [exchange.id] };
    }
  return undefined;
}

/** Whether Reset is the end of the window, or the time at which the next or all requests come back: a 429 with Retry-After shows it. */
function resetMeaning(
  answered: readonly Exchange[],
  windowMs: Span | undefined,
): ProfileStatement | undefined {
  const refused = answered.find(
    ({ response, rate }) =>
      response?.status === 429 && rate.reset !== undefined && rate.retryAfter !== undefined,
  );
  if (!answered.some(({ rate }) => rate.reset !== undefined)) return undefined;
  if (!refused) return untold('reset meaning', 'no 429 has both Reset and Retry-After');
  const [away, wait] = [secondsToReset(refused) ?? 0, refused.rate.retryAfter ?? 0];
  const isSame = Math.abs(away - wait) <= ROUNDED_S;
  if (!isSame && away < wait)
    return {
      about: 'reset meaning',
      value: 'earlier',
      text: `Reset is ${Math.round(wait - away)} s before the end of Retry-After`,
      shownBy: [refused.id],
    };
  const isPastWindow = windowMs !== undefined && away > windowMs.hi / 1_000 + ROUNDED_S;
  const later = isPastWindow ? 'later than the window lasts' : 'when more or all requests are back';
  return {
    about: 'reset meaning',
    value: isSame ? 'next request' : 'later',
    text: isSame
      ? 'Reset is the end of Retry-After'
      : `Reset is ${Math.round(away - wait)} s after Retry-After: ${later}`,
    shownBy: [refused.id],
  };
}

/** Whether the window in RateLimit-Policy fits the observed one. */
function policy(answered: readonly Exchange[], windowMs: Span | undefined): ProfileStatement | undefined {
  const carrier = answered.find((exchange) => linesOf(exchange, 'RateLimit-Policy').length > 0);
  if (!carrier) return undefined;
  const text = linesOf(carrier, 'RateLimit-Policy').join(', ');
  const windows = [...text.matchAll(/;\s*w=(\d+)/g)].map(([, seconds]) => Number(seconds));
  if (windows.length === 0 || windowMs === undefined)
    return untold('policy', `RateLimit-Policy is \`${text}\`; the length of the window is not known`, [
      carrier.id,
    ]);
  const [lo, hi] = [windowMs.lo / 1_000, windowMs.hi / 1_000];
  const holds = windows.some((seconds) => seconds >= lo - 1 && seconds <= hi + 1);
  const stated = `RateLimit-Policy states a window of ${windows.join(' and ')} s`;
  const observed = lo === hi ? `${lo} s` : `${lo} to ${hi} s`;
  return {
    about: 'policy',
    value: holds,
    text: holds ? `${stated}, and what was seen fits` : `${stated}, but it lasts ${observed}`,
    shownBy: [carrier.id],
  };
}

function retryAfterForm(answered: readonly Exchange[]): ProfileStatement | undefined {
  const refused = answered.find(({ response }) => response?.status === 429);
  if (!refused) return undefined;
  const [value] = linesOf(refused, 'Retry-After');
  if (value === undefined)
    return { about: 'retry-after', value: 'absent', text: '429 has no Retry-After', shownBy: [refused.id] };
  if (refused.rate.retryAfter === undefined)
    return {
      about: 'retry-after',
      value: 'invalid',
      text: `Retry-After is \`${value}\`, neither seconds nor an HTTP date`,
      shownBy: [refused.id],
    };
  const form = /^\d+$/.test(value) ? 'seconds' : 'an HTTP date';
  return { about: 'retry-after', value: form, text: `Retry-After is ${form}`, shownBy: [refused.id] };
}

/** Whether a request after Retry-After is refused again. */
function retryAfterHolds(sent: readonly ProfileExchange[]): ProfileStatement | undefined {
  const pairs = sent.flatMap((after, index) => {
    const refused = sent[index - 1]?.exchange;
    const isPair = refused?.response?.status === 429 && refused.rate.retryAfter !== undefined;
    return isPair && after.exchange.response ? [{ refused, after: after.exchange }] : [];
  });
  const [first] = pairs;
  if (!first)
    return sent.some(
      ({ exchange: { response, rate } }) => response?.status === 429 && rate.retryAfter !== undefined,
    )
      ? untold('retry-after holds', 'no request was sent after the time of Retry-After')
      : undefined;
  const wrong = pairs.find(({ after }) => after.response?.status === 429);
  const { refused, after } = wrong ?? first;
  return {
    about: 'retry-after holds',
    value: !wrong,
    text: wrong
      ? `a request after Retry-After (${refused.rate.retryAfter} s) got ${after.response?.status}`
      : `the first request after Retry-After is let through, ${pairs.length} of ${pairs.length} times`,
    shownBy: [refused.id, after.id],
  };
}
