const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Africa/Lagos' });

/** A moment as people in Lagos say it: `20 Nov 2026, 10:30`. */
export function lagosClock(moment: Date): string {
  return clock.format(moment);
}
