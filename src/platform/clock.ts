/** Where the service gets the time, so that tests can move it. The database's own clock decides nothing. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
