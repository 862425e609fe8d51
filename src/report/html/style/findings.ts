/** Violations and advisories. */
export const FINDINGS = `
#violations > h2 { font-size: 1.75rem; }
.finding { background: var(--surface); border: 1px solid var(--rule); border-radius: 8px; padding: clamp(1rem, 3vw, 1.75rem); }
.finding + .finding { margin-top: 1.5rem; }
.finding.violated { border-color: var(--own-rule); border-inline-start: 6px solid var(--own); box-shadow: 0 1px 2px #0000000d, 0 6px 20px #0000000a; }
.finding.advisory { border-inline-start: 3px solid var(--own-rule); }
.eyebrow { display: flex; flex-wrap: wrap; gap: 0.2rem 0.9rem; align-items: baseline; }
.finding.violated .badge { font-size: 0.9375rem; }
.eyebrow .id { color: var(--quiet); }
.finding h3 { font: 500 clamp(1.1875rem, 3vw, 1.4375rem)/1.35 var(--serif); margin-top: 0.5rem; max-width: 44rem; text-wrap: pretty; }
.finding.advisory h3 { font-size: 1.125rem; }
.source { color: var(--quiet); font-size: 0.875rem; margin-top: 0.25rem; }
.reason { margin-top: 1rem; font-weight: 650; max-width: 46rem; }
.finding.violated .reason { color: var(--own); }
.pair { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 52rem) { .pair { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.sides { margin-top: 1rem; }
.side { padding: 0.8rem 1rem; border-radius: 6px; border: 1px solid var(--rule); border-top-width: 3px; }
.side.expected { border-top-color: var(--met); }
.side.received { border-top-color: var(--own); background: var(--own-ground); }
.side .remark { margin-top: 0.25rem; }
.side .code { margin-top: 0.6rem; border: 0; padding: 0; background: none; }
.reproduce { margin-top: 1.25rem; }
.command { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: flex-start; padding: 0.6rem 0.6rem 0.6rem 0.9rem; background: var(--sunken); border-radius: 6px; }
.command code { flex: 1 1 18rem; min-width: 0; padding-block: 0.25rem; white-space: pre-wrap; }
button { font: 600 0.875rem/1 var(--sans); color: var(--text); background: var(--surface); border: 1px solid var(--rule-strong); border-radius: 5px;
  padding: 0.5rem 0.8rem; cursor: pointer; }
button:hover { border-color: var(--text); }
.exchange, .others { margin-top: 1rem; }
.others > summary { color: var(--quiet); font-size: 0.875rem; }
.follows { margin-top: 1rem; }
.follows > summary { font-weight: 600; padding-block: 0.4rem; }
.follows[open] > summary { margin-bottom: 0.75rem; }
.plain { margin: 0.5rem 0 0 1.1rem; font-size: 0.875rem; }
.plain li { padding-block: 0.15rem; }
`;
