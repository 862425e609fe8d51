import { max } from 'd3-array';
import { isObject } from '../../contract/schema.ts';
import { type Exchange, isSuccess, type TakenApart } from '../../model/exchange.ts';
import { type Finding, isProblem } from '../../model/finding.ts';
import { parseJson } from '../../model/json.ts';
import { AS_LONG } from '../../requests/varied-probe.ts';
import { inconclusiveOf, type Judged, tellsNothing } from '../evidence/judged.ts';
import { documentedStatus } from './status.ts';

/**
 * Judges together the exchanges of one request that was taken apart. Documents often do not state how long a text may be, so a
 * refused text is inconclusive if plain letters of the same length are refused too, or if no text of that length is accepted.
 */
export function takenTogether(judged: readonly Judged[], taken: readonly TakenApart[]): Judged[] {
  const byId = new Map(judged.map((result) => [result.exchange.id, result]));
  const isLong = ({ shownBy, variations }: TakenApart) => {
    const shown = byId.get(shownBy);
    if (!shown || !isTextRefused(shown, variations)) return false;
    return plainRefusals(shown, judged).length > 0 || !isAsLongAccepted(shown, judged);
  };
  const long = new Set(
    taken.filter(isLong).flatMap(({ shownBy, others }) =>
      [shownBy, ...others].flatMap((id) => {
        const refused = byId.get(id);
        return [id, ...(refused ? plainRefusals(refused, judged) : [])];
      }),
    ),
  );
  const reason = 'a refused text may be too long; how long it may be is not stated';
  const results = judged.map((result) =>
    long.has(result.exchange.id) ? tellsNothing(result, { reason }) : result,
  );
  return withoutConsequences(results, taken);
}

/** Whether a request was refused that had a text among these variations, and the document does not say how long texts may be. */
function isTextRefused({ exchange, probe, operation }: Judged, variations: readonly string[]): boolean {
  const { status = 0 } = exchange.response ?? {};
  const isRefused = status >= 400 && status < 500 && documentedStatus(operation, status) !== undefined;
  const ofProbe = [...(probe.variations ?? []), ...(probe.rounds ?? []).flat()];
  const hasText = ofProbe.some(({ id, kind }) => kind === 'text' && variations.includes(id));
  const fields = Object.values(operation.body?.schema.properties ?? {});
  const isStated = fields.some(({ maxLength }) => maxLength !== undefined);
  return isRefused && exchange.variations !== undefined && !isStated && hasText;
}

/** The exchanges of the same request with plain letters of the same length, refused with the same status. */
function plainRefusals({ exchange, probe }: Judged, judged: readonly Judged[]): number[] {
  return judged
    .filter(
      (result) =>
        result.probe.id === probe.id &&
        result.exchange.variations?.includes(AS_LONG) &&
        result.exchange.response?.status === exchange.response?.status,
    )
    .map((result) => result.exchange.id);
}

/** A service may count characters or bytes. */
function isAsLongAccepted({ exchange }: Judged, judged: readonly Judged[]): boolean {
  const { characters, bytes } = longestText(exchange);
  return judged.some(({ exchange: candidate }) => {
    if (candidate.operation !== exchange.operation || !isSuccess(candidate)) return false;
    const accepted = longestText(candidate);
    return accepted.characters >= characters && accepted.bytes >= bytes;
  });
}

/** How long the longest text of a body is. */
function longestText({ requestBody = '' }: Exchange): { characters: number; bytes: number } {
  const parsed = parseJson(requestBody);
  const values = parsed.ok && isObject(parsed.value) ? Object.values(parsed.value) : [];
  const texts = values.filter((value) => typeof value === 'string');
  return {
    characters: max(texts, (text) => [...text].length) ?? 0,
    bytes: max(texts, (text) => Buffer.byteLength(text)) ?? 0,
  };
}

/**
 * One exchange shows best that a variation fails. The deviations of the other exchanges with that variation are consequences.
 */
function withoutConsequences(judged: readonly Judged[], taken: readonly TakenApart[]): Judged[] {
  const byId = new Map(judged.map((result) => [result.exchange.id, result]));
  const owners = new Map(
    taken.flatMap(({ shownBy, others, requirement }) => {
      const shown = byId.get(shownBy);
      const owner = shown && (shown.deviations[0]?.requirement ?? inconclusiveOf(shown)?.cause);
      return others.map((id) => [id, owner ?? requirement]);
    }),
  );
  return judged.map((result) => {
    const cause = owners.get(result.exchange.id);
    if (cause === undefined || isExplained(result)) return result;
    const reason = 'another exchange shows the same failure better';
    return tellsNothing(result, { reason, cause }, [...result.deviations, ...result.hidden]);
  });
}

/** Whether an exchange is inconclusive for a reason other than a violation. */
function isExplained(judged: Judged): boolean {
  return judged.outcome === 'inconclusive' && judged.inconclusive.cause === undefined;
}

/**
 * A finding with the variations to blame, if the first exchange that shows it was varied, its plain form is right, and it
 * failed again with them.
 */
export function withVariation(finding: Finding, taken: readonly TakenApart[]): Finding {
  const [first] = finding.evidence;
  const apart = taken.find(
    ({ shownBy, variations, isUnfinished }) => shownBy === first && (variations.length > 0 || isUnfinished),
  );
  if (!apart || !isProblem(finding)) return finding;
  if (apart.isUnfinished)
    return { ...finding, reason: `${finding.reason}; no request was left to look for a simpler one` };
  return apart.isPresumed ? finding : onlyWith(finding, apart.variations);
}

/** A finding that only these variations show: the plain request was sent, too, and is right. */
export function onlyWith(finding: Finding, variations: readonly string[]): Finding {
  return {
    ...finding,
    variation: variations,
    reason: `${finding.reason}; only with ${variations.join(', ')}, the plain request is fine`,
    seen: finding.seen?.map((fingerprint) => ({ ...fingerprint, variation: variations })),
  };
}
