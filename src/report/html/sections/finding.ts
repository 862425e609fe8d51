import type { Exchange } from '../../../model/exchange.ts';
import type { RequirementResult } from '../../../model/report/report.ts';
import { type Reproduction, reproductionOf } from '../../../model/report/report.ts';
import { renderNearby } from '../exchange/body.ts';
import { differenceOf } from '../exchange/difference.ts';
import { exchangeLine, renderExchange } from '../exchange/exchange.ts';
import { type Place, placeOf } from '../exchange/place.ts';
import { badge } from '../markup/icons.ts';
import { count, shownStatus } from '../markup/labels.ts';
import { type Html, html, quoted, worded } from '../markup/markup.ts';

/** What a card is made from. */
export interface FindingContext {
  /** The id of the card in the page. */
  anchor: string;
  exchanges: ReadonlyMap<number, Exchange>;
  /** Whether the exchange is unfolded from the start. */
  isOpen: boolean;
}

/** What is longer is not offered for copying. */
const MAX_SCRIPT = 6_000;

/** A violation or an advisory: the sentence, what is wrong with it, how to repeat it, and the exchange that shows it. */
export function renderFinding(result: RequirementResult, context: FindingContext): Html {
  const { id, section, statement, reason, evidence } = result;
  const reproduction = reproductionOf(result);
  const status = shownStatus(result);
  const [first, ...others] = evidence.flatMap((each) => context.exchanges.get(each) ?? []);
  const place = placeOf(result, first?.response);
  const key = context.anchor;
  return html`<article class="finding ${status}" id="${key}" aria-labelledby="${key}-title">
    <header>
      <p class="eyebrow">${badge(status)} <code class="id">${quoted(id, 200)}</code></p>
      <h3 id="${key}-title">${worded(statement)}</h3>
      <p class="source">The interface, “${quoted(section, 200)}”</p>
    </header>
    <p class="reason">${quoted(reason)}</p>
    ${renderSides(result, first, place)}
    ${reproduction && renderRepetition(reproduction, key)}
    ${first && renderExchange(first, place, context.isOpen)}
    ${others.length > 0 && renderOthers(others)}
  </article>`;
}

function renderSides(
  { expected, received, pointer }: RequirementResult,
  exchange: Exchange | undefined,
  place: Place,
): Html {
  const response = exchange?.response;
  const nearby = place.kind === 'body' && response ? renderNearby(response, place.pointer) : undefined;
  const difference = differenceOf(expected ?? '', received ?? '');
  const side = (text: string | undefined, otherwise: string, own: 'expected' | 'received') =>
    difference
      ? html`${quoted(difference.before)}<mark class="${own}">${quoted(difference[own])}</mark>${quoted(difference.after)}`
      : quoted(text ?? otherwise);
  return html`<div class="pair sides">
    <div class="side expected"><h4>Expected</h4><p>${side(expected, 'as the interface says', 'expected')}</p></div>
    <div class="side received"><h4>Received</h4><p>${side(received, 'otherwise', 'received')}</p>
      ${pointer && html`<p class="remark">at <code>${quoted(pointer, 400)}</code> of the body</p>`}
      ${nearby}</div>
  </div>`;
}

/** The button needs the script, which shows it. */
function renderRepetition({ script, warning }: Reproduction, key: string): Html {
  if (script.length > MAX_SCRIPT)
    return html`<p class="remark">The request is too long for a command; the ledger has it whole.</p>`;
  const [first = '', ...others] = script.split('\n').map((line) => quoted(line, MAX_SCRIPT));
  return html`<div class="repeat">
    <h4 id="${key}-repeat">Repeat it${others.length > 0 && ' in bash'}</h4>
    ${warning && html`<p class="remark">It ${quoted(warning)}.</p>`}
    <div class="command"><code id="${key}-curl">${first}${others.map((line) => html`\n${line}`)}</code>
      <button type="button" class="copy" data-copies="${key}-curl" aria-describedby="${key}-repeat" hidden>Copy</button></div>
  </div>`;
}

function renderOthers(others: readonly Exchange[]): Html {
  const items = others.map(
    (each) => html`<li><a href="#x${each.id}">Exchange ${each.id}</a> ${exchangeLine(each)}</li>`,
  );
  return html`<details class="others"><summary>${count(others.length, 'more exchange')} that ${others.length === 1 ? 'shows' : 'show'} it</summary><ul class="plain">${items}</ul></details>`;
}
