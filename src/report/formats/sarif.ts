import type { Log, ReportingDescriptor, Result, WebRequest } from 'sarif';
import type { Exchange } from '../../model/exchange.ts';
import { isProblem } from '../../model/finding.ts';
import { confirmationLine, occurrenceLine } from '../../model/report/finding-lines.ts';
import {
  isViolation,
  knownAs,
  type Report,
  type RequirementResult,
  reproductionOf,
} from '../../model/report/report.ts';
import { shown } from '../../model/visible.ts';
import { verdictWords } from '../facts/verdict.ts';

/** The report as SARIF 2.1.0 (OASIS): a rule for each requirement, a result for each violation and advisory. */
export function renderSarif(report: Report): string {
  const safe = shown(report);
  const exchanges = new Map(safe.exchanges.map((exchange) => [exchange.id, exchange]));
  const problems = safe.requirements.filter(isProblem);
  const log: Log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'petspec',
            version: safe.suite.version,
            rules: safe.requirements.map(rule),
          },
        },
        invocations: [
          {
            executionSuccessful: safe.verdict !== 'incomplete',
            startTimeUtc: safe.startedAt,
            endTimeUtc: safe.finishedAt,
            toolExecutionNotifications:
              safe.verdict === 'incomplete'
                ? [{ level: 'error', message: { text: `${verdictWords(safe)}: ${safe.because}` } }]
                : undefined,
          },
        ],
        results: problems.map((finding) => result(safe, finding, exchanges.get(finding.evidence[0] ?? 0))),
        properties: { verdict: safe.verdict, because: safe.because, target: safe.target.baseUrl },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function rule({ id, level, section, statement }: RequirementResult): ReportingDescriptor {
  return {
    id,
    shortDescription: { text: statement },
    defaultConfiguration: { level: level === 'must' ? 'error' : level === 'should' ? 'warning' : 'none' },
    properties: { tags: [section, level] },
  };
}

function result(report: Report, finding: RequirementResult, exchange: Exchange | undefined): Result {
  const { id, reason, expected, received, seen = [] } = finding;
  const where = occurrenceLine(finding);
  const confirmation = confirmationLine(finding);
  const lines = [
    reason,
    ...(where ? [`in: ${where}`] : []),
    ...(expected ? [`expected: ${expected}`] : []),
    ...(received ? [`received: ${received}`] : []),
    ...(confirmation ? [`again: ${confirmation}`] : []),
  ];
  const comment = knownAs(report, id);
  const { script, warning } = reproductionOf(finding) ?? {};
  return {
    ruleId: id,
    level: isViolation(report, finding) ? 'error' : 'warning',
    message: { text: lines.join('\n') },
    locations: [{ physicalLocation: { artifactLocation: { uri: exchange?.url ?? report.target.baseUrl } } }],
    partialFingerprints:
      seen.length > 0
        ? {
            'places/v2': seen
              .flatMap(({ at }) => at)
              .sort()
              .join(' '),
          }
        : undefined,
    suppressions: comment === undefined ? undefined : [{ kind: 'external', justification: comment }],
    ...(exchange ? { webRequest: webRequest(exchange), ...webResponse(exchange) } : {}),
    ...(script === undefined
      ? finding.unrepeatable && { properties: { unrepeatable: finding.unrepeatable.text } }
      : { properties: { reproduce: script, ...(warning === undefined ? {} : { warning }) } }),
  };
}

function webRequest({ method, url, requestHeaders, requestBody }: Exchange): WebRequest {
  return {
    method,
    target: url,
    headers: Object.fromEntries(requestHeaders),
    body: requestBody === undefined ? undefined : { text: requestBody },
  };
}

function webResponse({ response }: Exchange): Pick<Result, 'webResponse'> {
  if (!response) return {};
  const { status, headers, body } = response;
  return { webResponse: { statusCode: status, headers: Object.fromEntries(headers), body: { text: body } } };
}
