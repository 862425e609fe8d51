/** Requests and responses, and the table of all exchanges. */
export const EXCHANGES = `
.exchange > summary { font-size: 0.875rem; padding-block: 0.35rem; }
.exchange .number { color: var(--quiet); margin-inline-end: 0.5rem; }
.exchange .took { color: var(--quiet); margin-inline-start: 0.5rem; }
.request { font-family: var(--mono); font-size: 0.9em; }
.outcome { white-space: nowrap; }
.exchange .pair { margin-top: 0.6rem; gap: 0.75rem 1rem; }
@media (min-width: 52rem) { .exchange .pair { grid-template-columns: minmax(0, 4fr) minmax(0, 7fr); } }
.wire { min-width: 0; }
.wire .none, .wire .remark { padding-block: 0.4rem; font-size: 0.8125rem; }
.code { font-size: 0.8125rem; line-height: 1.6; padding: 0.6rem 0.8rem 0.6rem 0.1rem; background: var(--sunken); border-radius: 6px; white-space: pre-wrap; overflow: clip; }
.wire .code + .code { margin-top: 0.4rem; }
.code .line { display: block; fill: unset; stroke: none; padding-inline-start: calc(0.7rem + 3ch); text-indent: -3ch; border-inline-start: 3px solid transparent; }
.code .skipped { color: var(--quiet); font-style: italic; }
.code .deviates { border-inline-start-color: var(--own); }
.code .name { color: var(--name); }
.code .string { color: var(--string); }
.code .word { color: var(--word); font-size: inherit; white-space: inherit; }
mark { background: var(--mark); color: inherit; border-radius: 3px; padding: 0.05rem 0.15rem; margin-inline: -0.15rem;
  text-decoration: underline; text-decoration-color: var(--own); text-decoration-thickness: 2px; text-underline-offset: 0.25em; }
.advisory mark { background: var(--advisory-ground); }
mark.expected { background: none; text-decoration-color: var(--met); }
mark:empty { padding-inline: 0.25rem; }
mark::before, mark::after { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
mark::before { content: " [what is wrong: "; }
mark.expected::before { content: " [what was expected: "; }
mark::after { content: "] "; }
.ledger { min-width: 52rem; width: 100%; }
.ledger th, .ledger td, .figures th, .figures td { padding: 0.3rem 0.9rem 0.3rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
.ledger td { white-space: nowrap; }
.ledger .address { white-space: normal; min-width: 18rem; font-family: var(--mono); font-size: 0.8125rem; }
.ledger tr:target { background: var(--sunken); }
.figures > summary { color: var(--quiet); }
.figures .scroll { margin-top: 0.75rem; }
`;
