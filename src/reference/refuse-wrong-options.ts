import { CLOCK } from '../model/clock.ts';
import { isKeyText } from '../model/http/key-text.ts';
import { didYouMean, expecting, type Rule, UsageError } from '../model/usage-error.ts';
import { isObject } from './http/json.ts';
import { PLANS } from './settings.ts';

const isPort = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535;
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1;
const PORT = expecting('a port from 0 to 65535', isPort);

const RULES: Readonly<Record<string, Rule>> = {
  clock: CLOCK,
  apiKey: expecting(
    'the key that it accepts, in ASCII without spaces',
    (value) => typeof value === 'string' && isKeyText(value),
  ),
  plan: expecting(
    `one of ${Object.keys(PLANS).join(', ')}, or { minute, day } with positive integers`,
    (value) =>
      typeof value === 'string'
        ? Object.hasOwn(PLANS, value)
        : isObject(value) && isCount(value.minute) && isCount(value.day),
  ),
  port: PORT,
  messagePort: PORT,
  changes: expecting(
    'a list of faults and variants',
    (value) => Array.isArray(value) && value.every(isObject),
  ),
  settings: expecting('an object', isObject),
  served: expecting('an interface to serve', isObject),
};

/**
 * Refuses options that are missing, unknown or wrong, as callers without types may state them.
 * @throws UsageError with one line that names the option
 */
export function refuseWrongOptions(options: unknown): void {
  const stated = isObject(options) ? options : {};
  const missing = ['clock', 'apiKey'].filter((name) => stated[name] === undefined);
  if (missing.length > 0)
    throw new UsageError(
      `startReference: missing '${missing.join("' and '")}'; expected options such as { clock: realClock, apiKey: 'a-key' }`,
    );
  for (const [name, value] of Object.entries(stated)) {
    const rule = RULES[name];
    if (!rule)
      throw new UsageError(`startReference: unknown option '${name}'${didYouMean(name, Object.keys(RULES))}`);
    const problem = value === undefined ? undefined : rule(value, stated);
    if (problem !== undefined) throw new UsageError(`startReference: '${name}'${problem}`);
  }
}
