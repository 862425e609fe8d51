/** The verdict, the requirements by status, the glossary, and the request counts. */
export const HEAD = `
.verdict { padding-block: clamp(1.5rem, 4vw, 2.75rem) 1.75rem;
  background: var(--own-ground); border-top: 6px solid var(--own); border-bottom: 1px solid var(--own-rule); }
.headlines { margin-top: 1.1rem; max-width: 60rem; }
.headlines li { padding: 0.15rem 0 0.15rem 1.15rem; text-indent: -1.15rem; }
.headlines li::before { content: "✕"; display: inline-block; width: 1.15rem; text-indent: 0; color: var(--own); font-weight: 700; }
.headlines a { color: var(--text); text-decoration-color: var(--own); }
.headlines .id { color: var(--quiet); margin-inline-start: 0.4rem; }
.product { font-weight: 650; letter-spacing: -0.01em; margin-bottom: 1.25rem; }
.product span { color: var(--quiet); font-weight: 400; }
h1 { display: flex; align-items: center; gap: 0.32em; font-size: clamp(2rem, 8vw, 3.5rem); line-height: 1.05; font-weight: 700;
  letter-spacing: -0.03em; color: var(--own); }
h1:has(.extent) { flex-wrap: wrap; }
h1 .extent { flex-basis: 100%; margin-top: -0.3em; font-size: 0.4em; font-weight: 600; letter-spacing: -0.005em; line-height: 1.3; color: var(--text); }
.verdict.part { --own: var(--observed); --own-ground: var(--surface); --own-rule: var(--rule); border-top-style: dashed; border-top-color: var(--rule-strong); }
.part h1 { font-size: clamp(1.5rem, 5vw, 2.1rem); color: var(--text); }
.part h1 .extent { font-size: 0.62em; }
.root-cause { margin-top: 1.25rem; padding: 1rem 1.2rem; border: 1px solid var(--own-rule); border-inline-start: 6px solid var(--own); border-radius: 6px; background: var(--surface); max-width: 60rem; }
.root-cause > * + * { margin-top: 0.6rem; }
.cause { font-size: 1.125rem; }
.first-line { color: var(--quiet); }
.first-line code { color: var(--text); }
.hint .command { margin-top: 0.4rem; }
.root-cause > .command { font-size: 0.9375rem; }
h1 .icon { width: 0.82em; height: 0.82em; }
h1 .cut { stroke: var(--own-ground); }
.lede { margin-top: 0.9rem; font-size: clamp(1.0625rem, 2.6vw, 1.3125rem); line-height: 1.45; max-width: 46rem; text-wrap: pretty; }
.lede code { font-size: 0.9em; }
.facts { display: flex; flex-wrap: wrap; gap: 0.9rem 2.25rem; margin-top: 1.6rem; font-size: 0.875rem; }
.facts dt { color: var(--quiet); font-size: 0.8125rem; }
.narrowed { margin-top: 1.25rem; padding: 0.9rem 1.1rem; border: 1px dashed var(--own); border-radius: 6px; max-width: 46rem; }
.narrowed ul { list-style: disc; padding-inline-start: 1.2rem; margin-top: 0.35rem; }
.ids { display: inline-block; vertical-align: top; max-width: 100%; font-size: 0.875rem; margin-inline-start: 0.5rem; }
.ids summary { color: var(--quiet); }
.ids code { margin-inline-end: 0.4rem; }
.tally { margin-top: 1.5rem; }
.shares { display: block; width: 100%; height: 8px; border-radius: 4px; background: var(--sunken); }
.shares rect { fill: var(--own); }
.shares .unexercised { opacity: 0.55; }
.shares .observed { opacity: 0.4; }
.tally ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 0.25rem 0.5rem; margin-top: 0.75rem; }
.tally li { padding-block: 0.5rem; }
.figure-number { display: block; width: fit-content; text-decoration: none; font-size: 1.875rem; line-height: 1.15; font-weight: 650; letter-spacing: -0.02em; color: var(--own, var(--text)); }
.figure-number:hover { text-decoration: underline; }
.word { font-size: 0.875rem; white-space: nowrap; }
.explained { color: inherit; text-decoration-style: dotted; text-decoration-thickness: 1.5px; }
.glossary { margin-top: 0.5rem; font-size: 0.875rem; }
.glossary > summary { color: var(--quiet); width: fit-content; }
.glossary dl { display: grid; gap: 0 2.5rem; margin-top: 0.6rem; }
@media (min-width: 52rem) { .glossary dl { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.glossary dl > div { padding: 0.55rem 0.6rem; margin-inline: -0.6rem; border-radius: 6px; scroll-margin-top: 30vh; }
.glossary dl > div:target { background: var(--sunken); }
.glossary dt { font-weight: 650; }
.glossary dd { max-width: 46rem; }
.tally .nothing .figure-number, .tally .nothing .word { color: var(--quiet); font-weight: 400; }
.request-counts { display: grid; gap: 1.5rem 3rem; }
@media (min-width: 44rem) { .request-counts { grid-template-columns: 2fr 1fr; } }
.sum b { font-size: 1.25rem; }
.purposes { columns: 2 15rem; column-gap: 2.5rem; margin-top: 0.5rem; font-size: 0.875rem; }
.purposes li { display: grid; grid-template-columns: minmax(0, 1fr) auto 28%; gap: 0.75rem; align-items: center; padding-block: 0.16rem; break-inside: avoid; }
.purposes .number { text-align: end; }
.purposes svg { display: block; width: 100%; height: 0.5rem; }
.purposes rect { fill: var(--rule-strong); }
.chips { display: flex; flex-wrap: wrap; gap: 0.4rem; margin-top: 0.5rem; }
.chips li { padding: 0.05rem 0.55rem; border: 1px solid var(--rule); border-radius: 0.8rem; background: var(--surface); font-size: 0.875rem; }
`;
