import type { Exchange } from '../../../model/exchange.ts';
import { isProblem } from '../../../model/finding.ts';
import { confirmationLine, occurrenceLine } from '../../../model/report/finding-lines.ts';
import {
  type ReproductionScript,
  type RequirementResult,
  reproductionOf,
} from '../../../model/report/report.ts';
import { shown } from '../../../model/visible.ts';
import { renderIssue } from '../../formats/markdown.ts';
import { type Marks, marksOf, renderNearby } from '../exchange/body.ts';
import { exchangeLine, renderExchange } from '../exchange/exchange.ts';
import { badge, capitalized, shownStatus } from '../markup/labels.ts';
import { type Html, html, quoted, worded } from '../markup/markup.ts';
import { count } from '../markup/quantities.ts';

export interface FindingContext {
  /** The id of its card in the page. */
  anchor: string;
  exchanges: ReadonlyMap<number, Exchange>;
  /** Whether the exchange starts unfolded. */
  isOpen: boolean;
  /** Whether the findings are about the requests of a client. */
  isOfClient: boolean;
  /** The name of the user's interface, whose sentences are not petspec's. */
  interface?: string | undefined;
}

/** The longest script that is shown, in characters. */
const MAX_SCRIPT = 6_000;

/** A violation or an advisory as a card: requirement, reason, expected and received, exchanges, and reproduction. */
export function renderFinding(result: RequirementResult, context: FindingContext): Html {
  const { id, section, statement, reason, evidence, traceId, waived } = result;
  const reproduction = reproductionOf(result);
  const status = shownStatus(result);
  const [first, ...otherExchanges] = evidence.flatMap((id) => context.exchanges.get(id) ?? []);
  const marks = marksOf(result, first, context.isOfClient);
  const { anchor } = context;
  const where = occurrenceLine(result);
  const confirmation = confirmationLine(result);
  return html`<article class="finding ${status}" id="${anchor}" aria-labelledby="${anchor}-title">
    <header>
      <p class="eyebrow">${badge(status)} <code class="id">${quoted(id, 200)}</code></p>
      <h3 id="${anchor}-title">${worded(statement)}</h3>
      <p class="source">${quoted(context.interface ?? 'The interface', 200)}, “${quoted(section, 200)}”${context.interface === undefined && ', in petspec’s words'}</p>
    </header>
    <p class="reason">${quoted(reason)}</p>
    ${where && html`<p class="remark">In <code>${quoted(where, 600)}</code></p>`}
    ${confirmation && html`<p class="remark">${quoted(capitalized(confirmation))}.</p>`}
    ${waived && html`<p class="remark">Waived: ${quoted(waived)}. The verdict counts it all the same.</p>`}
    ${traceId && html`<p class="remark">Trace <code>${quoted(traceId, 40)}</code></p>`}
    ${renderSides(result, context, nearbyOf(first, marks))}
    ${first && renderExchange(first, marks, context.isOpen)}
    ${otherExchanges.length > 0 && renderOthers(otherExchanges)}
    ${reproduction && renderReproduction(reproduction, anchor)}
    ${result.unrepeatable && html`<p class="remark">${quoted(capitalized(result.unrepeatable.text))}</p>`}
    <p class="actions"><button type="button" class="copy" data-copies="${anchor}-issue" hidden>Copy as issue</button></p>
    <pre id="${anchor}-issue" hidden>${renderIssue(shown(result))
      .split('\n')
      .map((line) => html`${quoted(line, MAX_SCRIPT)}\n`)}</pre>
  </article>`;
}

function renderSides(
  { expected, received, pointer }: RequirementResult,
  { isOfClient }: FindingContext,
  nearby: Html | undefined,
): Html {
  const difference = differenceOf(expected ?? '', received ?? '');
  const side = (text: string | undefined, fallback: string, name: 'expected' | 'received') =>
    difference
      ? html`${quoted(difference.before)}<mark class="${name}">${quoted(difference[name])}</mark>${quoted(difference.after)}`
      : quoted(text ?? fallback);
  return html`<div class="pair sides">
    <div class="side expected"><h4>Expected</h4><p>${side(expected, 'what the interface says', 'expected')}</p></div>
    <div class="side received"><h4>Received</h4><p>${side(received, 'something else', 'received')}</p>
      ${pointer && html`<p class="remark">at <code>${quoted(pointer, 400)}</code> of the ${isOfClient ? 'request body' : 'body'}</p>`}
      ${nearby}</div>
  </div>`;
}

/** The surroundings of the marked value in a body. */
function nearbyOf(exchange: Exchange | undefined, { request, response }: Marks): Html | undefined {
  if (request.kind === 'body') return renderNearby({ body: exchange?.requestBody ?? '' }, request.pointer);
  if (response.kind === 'body' && exchange?.response)
    return renderNearby(exchange.response, response.pointer);
  return undefined;
}

/** The button is hidden until the script of the page runs, without which it does not work. */
function renderReproduction({ script, warning }: ReproductionScript, anchor: string): Html {
  if (script.length > MAX_SCRIPT)
    return html`<p class="remark">The request is too long for a command. See the ledger.</p>`;
  const [first = '', ...otherLines] = script.split('\n').map((line) => quoted(line, MAX_SCRIPT));
  return html`<div class="reproduce">
    <h4 id="${anchor}-reproduce">Reproduce${otherLines.length > 0 && ' in bash'}</h4>
    ${warning && html`<p class="remark">Running this ${quoted(warning)}.</p>`}
    <div class="command"><code id="${anchor}-curl">${first}${otherLines.map((line) => html`\n${line}`)}</code>
      <button type="button" class="copy" data-copies="${anchor}-curl" aria-describedby="${anchor}-reproduce" hidden>Copy</button></div>
  </div>`;
}

function renderOthers(exchanges: readonly Exchange[]): Html {
  const items = exchanges.map(
    (exchange) =>
      html`<li><a href="#x${exchange.id}">Exchange ${exchange.id}</a> ${exchangeLine(exchange)}</li>`,
  );
  return html`<details class="others"><summary>${count(exchanges.length, 'more exchange')} that ${exchanges.length === 1 ? 'shows' : 'show'} it</summary><ul class="plain">${items}</ul></details>`;
}

/** The anchors of the cards of violations and advisories, by id of the requirement. */
export function findingAnchors(requirements: readonly RequirementResult[]): Map<string, string> {
  const problems = requirements.filter(isProblem);
  return new Map(problems.map(({ id, status }, index) => [id, `${status}-${index + 1}`]));
}

/** Two texts, split into their common start, their difference and their common end. */
interface TextDifference {
  before: string;
  /** The parts that differ. Either may be empty. */
  expected: string;
  received: string;
  after: string;
}

/** The longest texts that are compared, in characters. In longer texts, nobody sees the difference. */
const MAX_LENGTH = 2_000;

const WORD = /[\p{L}\p{N}_-]/u;

/** The difference of two texts, in whole words. Undefined if they start with different words. */
export function differenceOf(expected: string, received: string): TextDifference | undefined {
  if (expected.length > MAX_LENGTH || received.length > MAX_LENGTH || expected === received) return undefined;
  const [left, right] = [Array.from(expected), Array.from(received)];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  while (start > 0 && (isWithinWord(left, start) || isWithinWord(right, start))) start -= 1;
  if (start === 0) return undefined;
  let end = 0;
  while (end < shorter - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  while (end > 0 && (isWithinWord(left, left.length - end) || isWithinWord(right, right.length - end)))
    end -= 1;
  return {
    before: left.slice(0, start).join(''),
    expected: left.slice(start, left.length - end).join(''),
    received: right.slice(start, right.length - end).join(''),
    after: end === 0 ? '' : left.slice(-end).join(''),
  };
}

function isWithinWord(characters: readonly string[], index: number): boolean {
  return WORD.test(characters[index - 1] ?? '') && WORD.test(characters[index] ?? '');
}
