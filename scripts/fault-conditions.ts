/**
 * When each fault of the catalogue shows, mined from test/recorded/: `node dist/scripts/fault-conditions.js` writes
 * spec/fault-conditions.json, and prints its size.
 */
import { writeFileSync } from 'node:fs';
import { FAULT_INDEX } from '../src/selfcheck/sensitivity/fault-index.ts';
import { minedText } from '../test/recorded/mined-conditions.ts';

const text = minedText();
writeFileSync(FAULT_INDEX, text);
console.log(`${FAULT_INDEX}: ${Math.round(text.length / 1_000)} kB`);
