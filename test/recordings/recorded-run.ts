import type { Contract } from '../../src/model/contract.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import type { KeyKind } from '../../src/model/probe.ts';
import type { Report } from '../../src/model/report/report.ts';
import { judgeRecordings } from '../../src/recording/judge-recording.ts';
import type { JudgedRecording } from '../../src/recording/judgment.ts';
import { type ReadLine, readHarEntry } from '../../src/recording/reading/entry.ts';
import { harReader } from '../../src/recording/reading/har-stream.ts';
import { renderHar } from '../../src/report/formats/har.ts';
import { allChecks } from '../../suites/index.ts';

/** Exchanges as petspec's HAR. */
export function harOf(exchanges: readonly Exchange[], baseUrl: string): string {
  const report = { suite: { version: '0' }, verdict: 'conformant', because: '', target: { baseUrl } };
  return [...renderHar(report as unknown as Report, () => exchanges)].join('');
}

const KEY = 'a-real-key-7f3d9c';

const AUTHORIZATION: Readonly<Record<KeyKind, string | undefined>> = {
  second: undefined,
  valid: `Bearer ${KEY}`,
  absent: undefined,
  empty: 'Bearer ',
  unknown: 'Bearer some-other-key-123',
  scheme: `Basic ${KEY}`,
  longer: `Bearer ${KEY}x`,
  shorter: `Bearer ${KEY.slice(0, -1)}`,
  case: `Bearer ${KEY.toUpperCase()}`,
  bare: KEY,
  followed: `Bearer ${KEY} x`,
};

interface HarHeader {
  name: string;
  value: string;
}

interface Entry {
  startedDateTime: string;
  time: number;
  request: { headers: HarHeader[] };
  response: { headers: HarHeader[] };
  [name: `_${string}`]: unknown;
}

/** Names of headers as they are in HTTP/2 and in most recordings. */
function lower(headers: readonly HarHeader[]): HarHeader[] {
  return headers.map(({ name, value }) => ({ name: name.toLowerCase(), value }));
}

/** A HAR of petspec as another recorder would write it: with the key, real times, and nothing that petspec knows. */
export function asTraffic(har: string): string {
  const { log } = JSON.parse(har) as { log: { entries: Entry[] } };
  // Virtual time stands still while a request is under way: a thousandth of a second more for each keeps the order.
  const entries = log.entries.map((entry, index) => {
    const sent = Date.parse(entry.startedDateTime) + index;
    const key = AUTHORIZATION[entry._key as KeyKind];
    const headers = entry.request.headers.filter(({ name }) => name.toLowerCase() !== 'authorization');
    const own = Object.entries(entry).filter(([name]) => !name.startsWith('_'));
    return {
      ...Object.fromEntries(own),
      startedDateTime: new Date(sent).toISOString(),
      time: Math.max(0.6, entry.time),
      request: {
        ...entry.request,
        headers: lower(key === undefined ? headers : [...headers, { name: 'authorization', value: key }]),
      },
      response: { ...entry.response, headers: lower(entry.response.headers) },
    };
  });
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'other', version: '1' }, entries } });
}

/** Judges the text of a HAR. @param onExchange called for each exchange that is judged, in order */
export function judgeHar(
  contract: Contract,
  har: string,
  plan?: string,
  onExchange: (exchange: Exchange) => void = () => {},
): Promise<JudgedRecording> {
  const figures = plan === undefined ? undefined : contract.ratePlans[plan];
  return judgeRecordings(
    contract,
    allChecks(contract),
    [{ name: 'recording.har', entries: entriesOf(har) }],
    {
      servers: {},
      redact: [],
      onExchange,
      ...(plan === undefined ? {} : { plan, ...(figures ? { limits: figures } : {}) }),
    },
  );
}

async function* entriesOf(har: string): AsyncGenerator<ReadLine> {
  const reader = harReader();
  for (const entry of reader.read(har)) yield readHarEntry(entry);
}

/** The requirements that findings violate, advisories included. */
export function violatedIn(findings: JudgedRecording['findings']): string[] {
  return Object.entries(findings)
    .filter(([, { status }]) => status === 'violated' || status === 'advisory')
    .map(([id]) => id);
}
