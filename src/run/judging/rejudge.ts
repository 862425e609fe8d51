import { isObject } from '../../contract/schema.ts';
import { isDigestOfInterface } from '../../contract/sets.ts';
import type { Check } from '../../judge/evidence/check.ts';
import type { Contract } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { inferRatePlan } from '../../model/limits/rate-plan.ts';
import { packageVersion } from '../../model/package-root.ts';
import { usesUpLimit } from '../../model/probe.ts';
import { ledgerLineProblem } from '../../model/report/report-schema.ts';
import type { RunRecord } from '../../model/report/run-record.ts';
import { UsageError } from '../../model/usage-error.ts';
import { clip } from '../../model/visible.ts';
import { LearntValues } from '../../requests/learnt/learnt-values.ts';
import { withStandIns } from '../../secrets/hide-exchange.ts';
import { LIGHT, MAX_KEPT_WEIGHT } from '../../session/http/bounds.ts';
import { KeptExchanges } from '../../session/ledger/kept-exchanges.ts';
import type { LedgerEnd, LedgerHeader, LedgerLine } from '../../session/ledger/ledger.ts';
import { weightsOf } from '../../session/terms/memory-limit.ts';
import { recordOf } from '../job.ts';
import { DEFAULT_OPTIONS, type RunOptions, statedLimits } from '../options.ts';
import { makePlan, type RunPlan } from '../plan.ts';
import { judgeHidden } from './judge-hidden.ts';
import type { Outcome } from './judge-outcome.ts';
import { isNotable } from './notable.ts';

/** Why a run without an end in its ledger stopped. */
const BROKEN_OFF = {
  kind: 'interrupted',
  message: 'the run was broken off: its ledger has no end',
} as const;

/**
 * Judges a run again from its ledger, with the same result. A run that was broken off is judged by the exchanges that
 * it completed.
 * @param lines the parsed lines of the ledger
 * @throws UsageError if they are not a ledger, or a ledger of another interface
 */
export function rejudge(contract: Contract, checks: readonly Check[], lines: Iterable<unknown>): RunRecord {
  const records = recordsOf(lines);
  const header = validHeader(records);
  if (!isDigestOfInterface(header.specDigest, contract))
    throw new UsageError(
      contract.isComplete
        ? `the ledger is of petspec ${header.petspec} and another version of the interface: only that petspec can judge it`
        : `the run judged by another version of the document: its digest is ${header.specDigest.slice(0, 12)}, and this one's ${contract.digest.slice(0, 12)}`,
    );
  const options = wholeOptions(header.options);
  const plan = planAgain(contract, checks, header.options);
  const { startedAt, target, isKeyShown } = header;
  const { end, exchanges } = sorted(records, isNotable(contract, plan), plan.probes.length);
  const finishedAt = exchanges.at(-1)?.receivedAt ?? startedAt;
  const ending = end ?? { ...brokenOff(contract, plan, options, exchanges), finishedAt };
  const outcome: Outcome = { exchanges, startedAt, target, ...ending, isKeyShown };
  return recordOf(contract, checks, plan, { options }, judgeHidden(contract, plan, options, outcome));
}

/** The plan of the run of a ledger. @param stated the options of the ledger */
export function planAgain(
  contract: Contract,
  checks: readonly Check[],
  stated: Partial<RunOptions>,
): RunPlan {
  return makePlan(contract, checks, wholeOptions(stated));
}

/** Runs of older versions did not vary their requests. Paths of files in a ledger do not enter the commands that petspec prints. */
function wholeOptions({ words: _words, ...stated }: Partial<RunOptions>): RunOptions {
  return { ...DEFAULT_OPTIONS, seed: 'none', ...stated };
}

/** The options of the run of a ledger, which anybody may have written. @throws UsageError if it does not begin like a ledger */
export function ledgerOptions(lines: Iterable<unknown>): Partial<RunOptions> {
  return validHeader(recordsOf(lines)).options;
}

type RunLedgerHeader = LedgerHeader<Partial<RunOptions>>;

function validHeader(records: Iterator<LedgerLine>): RunLedgerHeader {
  const header = headerAmong(records);
  const { baseUrl, apiUrl = baseUrl, servers = {} } = header.target;
  if (![baseUrl, apiUrl, ...Object.values(servers)].every((address) => URL.canParse(address)))
    throw new UsageError('the target in the ledger is not a valid URL');
  const { interface: document, example } = header.options;
  if ([document, example].some((path) => path !== undefined && typeof path !== 'string'))
    throw new UsageError('the options in the ledger are not those of a run');
  return header;
}

/** The lines of a ledger, each in a known form. */
function* recordsOf(lines: Iterable<unknown>): Generator<LedgerLine> {
  let number = 0;
  let writer: string | undefined;
  for (const line of lines) {
    number += 1;
    writer ??= writerOf(line);
    const problem = ledgerLineProblem(line);
    if (problem !== undefined && writer !== undefined && writer !== packageVersion)
      throw new UsageError(
        `the ledger was written by petspec ${writer}, but this is petspec ${packageVersion}; judge it with petspec ${writer}`,
      );
    if (problem !== undefined) throw new UsageError(`line ${number} of the ledger: ${problem}`);
    const record = line as LedgerLine;
    if (!('record' in record) && !URL.canParse(record.url))
      throw new UsageError(`line ${number} of the ledger: the url of the exchange is not a valid URL`);
    yield record;
  }
}

/** The header, which is the first record of a ledger. */
function headerAmong(records: Iterator<LedgerLine>): RunLedgerHeader {
  const { value } = records.next();
  if (value && 'record' in value && value.record === 'run') return value as RunLedgerHeader;
  throw new UsageError('the ledger has no header; its run ended before it began');
}

/** What the exchanges of a ledger may take up (bytes, estimated; equal bodies count once); those of a run take up less. */
const MAX_WEIGHT = 48 * 1024 * 1024;

/** The same for large heads and bodies: a run keeps half as much. */
const MAX_LARGE = 2 * MAX_KEPT_WEIGHT;

/** Exchanges per planned request, and further ones, besides those that use up the limit: far more than a run sends. */
const MAX_EACH = 10;
const MAX_OTHERS = 1_000;

/** Refuses more exchanges than a run writes, because judging them could take any amount of memory. */
function refuseTooMany(planned: number): (exchange: Exchange) => void {
  const bodies = new Set<string>();
  let weight = 0;
  let large = 0;
  let counted = 0;
  return (exchange) => {
    const { stage, response } = exchange;
    const isKnown = response !== undefined && bodies.has(response.body);
    bodies.add(response?.body ?? '');
    for (const bytes of weightsOf(
      isKnown ? { ...exchange, response: { ...response, body: '' } } : exchange,
    )) {
      weight += bytes;
      if (bytes > LIGHT) large += bytes;
    }
    if (!usesUpLimit(stage)) counted += 1;
    if (weight > MAX_WEIGHT || large > MAX_LARGE || counted > MAX_EACH * planned + MAX_OTHERS)
      throw new UsageError('the ledger holds more than a run writes');
  };
}

/** The lines after the header. Of a long exhaustion it keeps what a run keeps, so that any ledger fits into memory. */
function sorted(
  records: Iterable<LedgerLine>,
  isNotable: (exchange: Exchange) => boolean,
  planned: number,
): { end?: LedgerEnd | undefined; exchanges: Exchange[] } {
  const kept = new KeptExchanges((exchange) => isNotable(withStandIns(exchange)), refuseTooMany(planned));
  let end: LedgerEnd | undefined;
  for (const record of records) {
    if (!('record' in record)) kept.add(record);
    else if (record.record === 'end') end = record;
  }
  kept.close();
  return { exchanges: kept.all, end };
}

/** The version of petspec that wrote a ledger, as its header states. */
function writerOf(line: unknown): string | undefined {
  const named = isObject(line) && line.record === 'run' ? line.petspec : undefined;
  return typeof named === 'string' ? clip(named, 40) : undefined;
}

/** The end of the ledger of a run that was broken off, as the run would have written it. */
function brokenOff(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  exchanges: readonly Exchange[],
): Omit<LedgerEnd, 'record' | 'finishedAt'> {
  const given = options.categoryId === undefined ? undefined : BigInt(options.categoryId);
  const values = new LearntValues(given, () => 0n);
  for (const exchange of exchanges) values.learn(exchange);
  const stated = statedLimits(contract.ratePlans, options);
  const withKey = exchanges.filter(({ key }) => key === 'valid');
  const inferred = inferRatePlan(withKey, contract.ratePlans);
  const limits = stated ?? (inferred && contract.ratePlans[inferred.name]);
  const sent = new Set(exchanges.map(({ probe }) => probe));
  return {
    // A probe that depends on another's success may not have been due.
    unsent: plan.probes
      .filter(({ id, onlyIf }) => !sent.has(id) && onlyIf === undefined)
      .map(({ id }) => ({ probe: id, kind: 'run-stopped', reason: BROKEN_OFF.message })),
    stopped: BROKEN_OFF,
    referencesKnown: values.areReferencesKnown(),
    limits,
  };
}
