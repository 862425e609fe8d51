/** The requirements by section, and the observations. */
export const REQUIREMENTS = `
.filter { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: center; margin-bottom: 1rem; }
.filter fieldset { border: 0; display: flex; flex-wrap: wrap; gap: 0.35rem; min-width: 0; flex: 1 1 30rem; }
.choice { position: relative; }
.choice input { position: absolute; opacity: 0; inset: 0; margin: 0; width: 100%; height: 100%; cursor: pointer; }
.choice span { display: inline-block; padding: 0.3rem 0.75rem; border: 1px solid var(--rule-strong); border-radius: 999px; font-size: 0.875rem; background: var(--surface); }
.choice input:checked + span { border-color: var(--text); box-shadow: inset 0 0 0 1px var(--text); font-weight: 600; }
.choice input:focus-visible + span { outline: 3px solid var(--focus); outline-offset: 2px; }
.search input { font: inherit; font-size: 0.875rem; color: inherit; background: var(--surface); border: 1px solid var(--rule-strong); border-radius: 5px; padding: 0.35rem 0.6rem; width: 11rem; }
.search input::placeholder { color: var(--quiet); opacity: 1; }
.untested { padding: 1rem 1.25rem; margin-bottom: 1.25rem; border: 1px solid var(--not-tested-rule); border-radius: 8px; background: var(--not-tested-ground); --own: var(--not-tested); }
.untested h3 { font-size: 1rem; }
.untested ul { margin-top: 0.4rem; }
.requirements { border-top: 1px solid var(--rule); }
.section { border-bottom: 1px solid var(--rule); }
.section > summary { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: center; justify-content: space-between; padding: 0.7rem 0.4rem 0.7rem 1.4rem; position: relative; }
.section > summary::before { content: ""; position: absolute; inset-inline-start: 0.25rem; width: 0.42rem; height: 0.42rem; border: solid var(--quiet); border-width: 0 1.6px 1.6px 0; transform: rotate(-45deg); }
.section[open] > summary::before { transform: rotate(45deg); }
.section > summary:hover { background: var(--sunken); }
.section-name { font-weight: 600; }
@media (max-width: 40rem) { .strip { flex-basis: 100%; } }
.strip { display: flex; flex-wrap: wrap; gap: 0.28rem; font-size: 0.875rem; }
.strip .met, .strip .observed { opacity: 0.75; }
.rows { padding: 0 0.4rem 0.6rem 1.4rem; }
.row { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.1rem 1.25rem; padding-block: 0.6rem; border-top: 1px solid var(--rule); }
@media (min-width: 52rem) { .row { grid-template-columns: 9.5rem minmax(0, 1fr) 17rem; } }
.row .badge { padding-top: 0.1rem; }
.row .about { font-size: 0.8125rem; color: var(--quiet); padding-top: 0.1rem; }
.why { color: var(--quiet); font-size: 0.875rem; }
.row[data-status="violated"] .why { color: var(--violated); }
.level, .operation { margin-inline-start: 0.35rem; }
.level::before, .operation::before { content: "· "; }
.observations > div { display: grid; gap: 0.15rem 2rem; padding-block: 0.75rem; border-top: 1px solid var(--rule); grid-template-columns: minmax(0, 1fr); }
@media (min-width: 52rem) { .observations > div { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
.observations dt { font: 1rem/1.45 var(--serif); color: var(--quiet); }
.seen { font-weight: 600; }
.observations .about { font-size: 0.8125rem; color: var(--quiet); }
.where { margin-inline-start: 0.75rem; }
.observations + .others, .none + .others { margin-top: 1rem; }
.others .observations { margin-top: 0.75rem; }
`;
