import { expect, test } from 'vitest';
import { testedCommandLine } from '../../../test/command-line/tested-command-line.ts';
import { DEFAULT_OPTIONS, type RunOptions } from '../../run/options.ts';
import { renderWarnings } from './resolve-target.ts';

const { petspec } = testedCommandLine();

const warnings = (options: Partial<RunOptions>) =>
  renderWarnings({ ...DEFAULT_OPTIONS, apiKey: 'a-key', ...options }, {});
const PLAIN = (origin: string) =>
  `petspec: warning: ${origin}: plain http; anyone on the network can read the key; use https\n`;

test.each<[what: string, options: Partial<RunOptions>, origins: string[]]>([
  ['another machine', { baseUrl: 'http://store.example.com/v1' }, ['http://store.example.com']],
  ['an address of one', { baseUrl: 'http://192.0.2.7:8080/v1' }, ['http://192.0.2.7:8080']],
  ['one of IPv6', { baseUrl: 'http://[2001:db8::1]/v1' }, ['http://[2001:db8::1]']],
  [
    'the message address',
    { baseUrl: 'https://store.example.com/v1', apiUrl: 'http://messages.example.com' },
    ['http://messages.example.com'],
  ],
  [
    'both',
    { baseUrl: 'http://store.example.com/v1', apiUrl: 'http://messages.example.com' },
    ['http://store.example.com', 'http://messages.example.com'],
  ],
  [
    'both at one place',
    { baseUrl: 'http://store.example.com/v1', apiUrl: 'http://store.example.com/messages' },
    ['http://store.example.com'],
  ],
  ['https', { baseUrl: 'https://store.example.com/v1', apiUrl: 'https://messages.example.com' }, []],
  ['this machine', { baseUrl: 'http://localhost:8080/v1', apiUrl: 'http://127.0.0.1:8081' }, []],
  ['this machine, IPv6', { baseUrl: 'http://[::1]:8080/v1' }, []],
  ['the bundled reference', {}, []],
])('plain http with a key: %s', (_, options, origins) => {
  expect(warnings(options)).toBe(origins.map(PLAIN).join(''));
});

test('the warning comes before the run, however quiet; a plan alone sends nothing, and warns of nothing', async () => {
  const target = 'http://store.invalid/v1';
  const run = await petspec('run', target, '--quiet', '--read-only', '--no-exhaust', '--out', 'plain');
  expect(run).toMatchObject({ status: 3, err: PLAIN('http://store.invalid') });
  const plan = await petspec('run', target, '--dry-run');
  expect(plan).toMatchObject({ status: 0, err: '' });
}, 60_000);
