/** Print: everything but the long tables is unfolded, buttons are hidden, and cards stay on one page if possible. */
export const PRINT = `
@media print {
  @page { margin: 16mm 14mm; }
  body { font-size: 10pt; }
  main > :not(.verdict), footer { max-width: none; padding-inline: 0; }
  main > section { margin-top: 2rem; }
  .verdict { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .filter, .copy, .skip { display: none !important; }
  details:not(.figures)::details-content { content-visibility: visible; block-size: auto; }
  .figures:not([open]) { display: none; }
  .glossary { font-size: 9pt; }
  .glossary dl { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .chart.wide { display: block; } .chart.narrow { display: none; }
  .pair, .exchange .pair, .observations > div { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .row { grid-template-columns: 7rem minmax(0, 1fr) 11rem; padding-block: 0.2rem; font-size: 9pt; }
  .row .why, .observations dt, .seen { font-size: 9pt; }
  .observations > div { padding-block: 0.3rem; }
  .finding { padding: 0.8rem 1rem; }
  .code, .command code { font-size: 7.5pt; }
  .finding { box-shadow: none; break-inside: auto; }
  .finding header, .sides, .reproduce, .row, .observations > div, .glossary dl > div, .figure, h2 { break-inside: avoid; }
  h2, .finding header { break-after: avoid; }
  mark, .shares, .side, .chart { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
@media (forced-colors: active) {
  .finding, .side, .choice span { border: 1px solid; }
  .shares { forced-color-adjust: none; }
}
`;
