/** `1 request`, `2,000 requests`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

/** A duration in a readable unit. Rounded before the unit is chosen, so that it never says 60 s or 1000 ms. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return 'unknown';
  const whole = Math.round(ms);
  if (whole < 1_000) return `${whole} ms`;
  if (whole < 9_950) return `${Number((whole / 1_000).toFixed(1))} s`;
  const seconds = Math.round(whole / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const DATE = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** A date for people; undefined if the text is not a date. */
export function moment(iso: string): string | undefined {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? undefined : `${DATE.format(time)} UTC`;
}
