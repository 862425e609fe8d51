/** The charts. Their colors come from the palette, so that they follow the color scheme. */
export const CHARTS = `
.chart { display: block; width: 100%; height: auto; font: 13px var(--sans); font-variant-numeric: tabular-nums; overflow: visible; }
.chart.wide { display: none; }
.chart.narrow { max-width: 32rem; }
@media (min-width: 52rem) { .chart.wide { display: block; } .chart.narrow { display: none; } }
.chart text { fill: var(--text); }
.chart .tick, .chart .note { fill: var(--quiet); }
.chart .grid { stroke: var(--rule); fill: none; }
.chart .limit { stroke: var(--quiet); stroke-dasharray: 5 4; fill: none; }
.chart .pause { fill: var(--sunken); }
.chart .break { stroke: var(--quiet); stroke-width: 1.5; stroke-dasharray: 1.5 4; fill: none; stroke-linecap: round; }
.chart .pause-label { font-weight: 650; }
.chart .area { fill: var(--series-soft); }
.chart .line { stroke: var(--series); stroke-width: 2; fill: none; stroke-linejoin: round; }
.chart .bridge { stroke: var(--series); stroke-width: 1.5; stroke-dasharray: 2 5; stroke-linecap: round; fill: none; }
.chart .dot { fill: var(--series); }
.chart .dot.other { fill: var(--ground); stroke: var(--series); stroke-width: 1.3; }
.chart .refused { stroke: var(--violated); stroke-width: 3; stroke-linecap: round; fill: none; }
.chart .recovered { fill: var(--met); }
.chart .event { font-weight: 650; paint-order: stroke; stroke: var(--ground); stroke-width: 3px; stroke-linejoin: round; }
.chart .refused-label { stroke: var(--sunken); }
.chart .range { stroke: var(--rule-strong); stroke-width: 2; }
.chart .median { stroke: var(--text); stroke-width: 2.5; stroke-linecap: round; }
#latency-heading ~ .figure .dot { fill-opacity: 0.45; }
.chart .row-name { font-family: var(--mono); font-size: 12.5px; }
.chart .row-value { font-weight: 650; }
figcaption { color: var(--quiet); font-size: 0.875rem; max-width: 46rem; margin: 0.6rem 0; }
`;
