/** Less is the way that an answer takes, and changes nothing for a person. */
const TOLERATED_MS = 60_000;

/** By how much the clock of this device is ahead of the service's, as far as that is noticed. */
let aheadMs = 0;

/** Every answer says when it was given. */
export function noteTime({ headers }: Response): void {
  const ahead = Date.now() - Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) < TOLERATED_MS ? 0 : ahead;
}

/** Now by the clock of the service, which says what is over: that of a device may be hours off. In milliseconds. */
export const nowMs = (): number => Date.now() - aheadMs;

export const nowDate = (): Date => new Date(nowMs());
