const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Africa/Lagos' });

/** For people: `24 December 2026 at 09:00, Lagos time`. */
export function lagosTimeText(at: Date): string {
  return `${format.format(at)}, Lagos time`;
}
