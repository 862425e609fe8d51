/** Writes what runs send, for the mutation of what derives and writes requests: `node dist/scripts/mutation/record-sent.js`. */
import { writeSent } from './recordings.ts';
import { digestOfSent, SENDINGS, type SentRecording } from './sent-requests.ts';

const recordings: SentRecording[] = [];
for (const { id } of SENDINGS) recordings.push({ id, sent: await digestOfSent(id) });
writeSent(recordings);
console.log(`${recordings.length} runs, whose requests are recorded`);
