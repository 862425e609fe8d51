/** The colors by meaning, in both schemes. Every text color has a contrast of at least 4.5 to its background. */
const LIGHT = `
  --ground: #faf9f6; --surface: #ffffff; --sunken: #f3f1ec; --rule: #e2dfd7; --rule-strong: #c9c5ba;
  --text: #1c1f23; --quiet: #5a6069; --link: #1d4f91; --focus: #1d4f91;
  --violated: #b0241c; --violated-ground: #fdf0ee; --violated-rule: #e9b4af; --mark: #ffd9d4;
  --advisory: #875400; --advisory-ground: #fdf6e7; --advisory-rule: #e8cf9d;
  --met: #1c6e43; --met-ground: #eef7f1; --met-rule: #afd6c0;
  --not-tested: #5a5480; --not-tested-ground: #f4f2fa; --not-tested-rule: #cbc5e2;
  --observed: #2a6278; --series: #1d5c9c; --series-soft: #1d5c9c1f;
  --name: #6b3a78; --string: #2b5d3f; --word: #8a4b10;`;

const DARK = `
  --ground: #131518; --surface: #1a1d21; --sunken: #212529; --rule: #2f343a; --rule-strong: #4a515a;
  --text: #e9eaec; --quiet: #a4abb5; --link: #9cc4f7; --focus: #9cc4f7;
  --violated: #ff9a90; --violated-ground: #2c1917; --violated-rule: #6f3a35; --mark: #5c241f;
  --advisory: #f0bf6a; --advisory-ground: #282013; --advisory-rule: #5d4a22;
  --met: #7fd3a5; --met-ground: #14241b; --met-rule: #2c5a41;
  --not-tested: #b9b0e8; --not-tested-ground: #201e2d; --not-tested-rule: #48426d;
  --observed: #86c5dd; --series: #86b9f2; --series-soft: #86b9f226;
  --name: #d6a8e3; --string: #9fd3b3; --word: #f0b989;`;

export const PALETTE = `
:root { color-scheme: light dark;${LIGHT} }
@media (prefers-color-scheme: dark) { :root {${DARK} } }
@media print { :root { color-scheme: light;${LIGHT} --ground: #fff; } }
.violated { --own: var(--violated); --own-ground: var(--violated-ground); --own-rule: var(--violated-rule); }
.advisory { --own: var(--advisory); --own-ground: var(--advisory-ground); --own-rule: var(--advisory-rule); }
.met, .unexercised { --own: var(--met); --own-ground: var(--met-ground); --own-rule: var(--met-rule); }
.not-tested { --own: var(--not-tested); --own-ground: var(--not-tested-ground); --own-rule: var(--not-tested-rule); }
.observed { --own: var(--observed); }
`;
