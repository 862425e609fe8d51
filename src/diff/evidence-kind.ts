import { HEAD } from '../history/read.ts';

/** What a file can be that a change is held against. */
export type EvidenceKind = 'recording' | 'history' | 'certificate' | 'baseline';

/** What a certificate of petspec begins with: a statement, or an envelope with one. */
const CERTIFICATE = /^\s*\{\s*"(?:_type|payloadType|payload|signatures)"/;

/** The keys of a baseline. No recording has a line that begins with one. */
const BASELINE = /^(?:requests|violations)[ \t]*:/m;

/** Tells what a file is by its beginning. What is none of the others is to be a recording: reading it says if it is not. */
export function kindOfEvidence(beginning: string): EvidenceKind {
  const text = beginning.replace(/^\ufeff/, '');
  if (text.startsWith(HEAD)) return 'history';
  if (CERTIFICATE.test(text)) return 'certificate';
  return !text.trimStart().startsWith('{') && BASELINE.test(text) ? 'baseline' : 'recording';
}
