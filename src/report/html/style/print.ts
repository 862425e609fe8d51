/** On paper: everything unfolded but the long tables, nothing to click, no card torn apart where that can be helped. */
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
  .chart.wide { display: block; } .chart.narrow { display: none; }
  .finding { box-shadow: none; break-inside: auto; }
  .finding header, .sides, .repeat, .row, .observations > div, .figure, h2 { break-inside: avoid; }
  h2, .finding header { break-after: avoid; }
  mark, .shares, .side, .chart { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
@media (forced-colors: active) {
  .finding, .side, .choice span { border: 1px solid; }
  .shares { forced-color-adjust: none; }
}
`;
