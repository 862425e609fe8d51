import { counted, type RecordingResult } from '../model/report/report.ts';

/** What each recording holds, and a line for each reason for which something of it was not judged. */
export function recordingLines(recording: RecordingResult | undefined): string[] {
  return (recording?.files ?? []).flatMap(({ name, entries, judged, omitted }) => [
    `${name}: ${judged} of ${counted(entries, 'entry', 'entries')} judged`,
    ...omitted.map(({ count, text }) => `- ${count}: ${text}`),
  ]);
}
