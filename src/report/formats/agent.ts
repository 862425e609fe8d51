import type { Exchange } from '../../model/exchange.ts';
import type { DeviationKind } from '../../model/finding.ts';
import { confirmationLine, occurrenceLine } from '../../model/report/finding-lines.ts';
import {
  counted,
  type HintResult,
  isViolation,
  type Report,
  type RequirementResult,
  reproductionOf,
} from '../../model/report/report.ts';
import { clip, shown } from '../../model/visible.ts';
import { isNothingJudged, mustsJudged, reasonOf, verdictWords } from '../facts/verdict.ts';
import { code, fence, prose } from './markdown-text.ts';

/** The longest body that is quoted, in characters. */
const MAX_BODY = 600;

/** What usually has to change in a service, by kind of deviation. */
const CHANGES: Readonly<Record<DeviationKind, string>> = {
  transport: 'Make the service send one complete HTTP response to this request.',
  status: 'Make the service answer this request with the status that is expected.',
  'media-type': 'Declare the body as the media type that is expected.',
  json: 'Send a body that is one JSON text in UTF-8.',
  shape: 'Make the body follow the schema of the interface at this place.',
  header: 'Send the header with the value that is expected, on every response that the sentence names.',
  meaning:
    'Correct what the service computes or stores: the form of the response is right, its content is not.',
  sequence: 'Look at several requests together: each response may be right by itself.',
};

/** What has to change in a client, if it differs. */
const CHANGES_OF_CLIENT: Readonly<Partial<Record<DeviationKind, string>>> = {
  header: 'Send the header with the value that is expected, on every request that the sentence names.',
  meaning: 'Correct where the client sends this, or which values it sends: its form is right.',
  sequence: 'Look at several requests together: each may be right by itself.',
};

/** The violations for a program that fixes the service or the client: compact Markdown with the evidence. */
export function renderForAgents(report: Report): string {
  const safe = shown(report);
  const exchanges = new Map(safe.exchanges.map((exchange) => [exchange.id, exchange]));
  const violated = safe.requirements.filter((requirement) => isViolation(safe, requirement));
  const outcome = isNothingJudged(safe)
    ? 'Nothing was judged, so there is nothing to change in the service yet.'
    : `${mustsJudged(safe)}. ${counted(violated.length, 'violation')}.`;
  const head = [
    `# petspec: ${verdictWords(safe)}`,
    `Target: ${code(safe.target.baseUrl)}. ${prose(reasonOf(safe))}. ${outcome}`,
    ...(safe.hints ?? []).map(hint),
  ];
  const changes = safe.client ? { ...CHANGES, ...CHANGES_OF_CLIENT } : CHANGES;
  const parts = violated.map((result) => problem(result, exchanges.get(result.evidence[0] ?? 0), changes));
  return `${[...head, ...parts].join('\n\n')}\n`;
}

function hint({ text, command }: HintResult): string {
  return `Hint: ${prose(text)}${command === undefined ? '' : `\n\n${fence('sh', command)}`}`.trimEnd();
}

function problem(
  result: RequirementResult,
  exchange: Exchange | undefined,
  changes: Readonly<Record<DeviationKind, string>>,
): string {
  const { id, statement, section, reason, expected, received, pointer, kind, variation, traceId } = result;
  const { script, warning } = reproductionOf(result) ?? {};
  const where = occurrenceLine(result);
  const confirmation = confirmationLine(result);
  return [
    `## ${code(id)}`,
    `Interface (${prose(section)}): ${prose(statement)}`,
    `Found${where === undefined ? '' : ` in ${code(where)}`}: ${prose(reason)}${expected ? `; expected ${code(expected)}` : ''}${received ? `; received ${code(received)}` : ''}${pointer ? ` at ${code(pointer)}` : ''}`,
    ...(variation ? [`Only with: ${variation.map(code).join(', ')}`] : []),
    ...(confirmation === undefined ? [] : [`Again: ${prose(confirmation)}`]),
    ...(traceId ? [`Trace: ${code(traceId)}`] : []),
    ...(exchange ? [fence('http', exchangeText(exchange))] : []),
    ...(warning === undefined ? [] : [`Running this ${prose(warning)}.`]),
    ...(result.unrepeatable ? [prose(result.unrepeatable.text)] : []),
    ...(script === undefined ? [] : [fence(script.includes('\n') ? 'bash' : 'sh', script)]),
    ...(kind === undefined ? [] : [`Change: ${changes[kind]}`]),
  ].join('\n\n');
}

/** The request and the response, with only the headers that may explain a finding. */
function exchangeText({ method, url, requestBody, response, failure }: Exchange): string {
  const headers = (response?.headers ?? []).filter(([name]) =>
    /^(?:content-type|retry-after|x-)/i.test(name),
  );
  return [
    `${method} ${url}`,
    ...(requestBody ? [clip(requestBody, MAX_BODY)] : []),
    '',
    ...(response
      ? [
          String(response.status),
          ...headers.map(([name, value]) => `${name}: ${value}`),
          '',
          clip(response.body, MAX_BODY),
        ]
      : [`no response: ${failure?.message ?? ''}`]),
  ].join('\n');
}
