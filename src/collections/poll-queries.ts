import { statement } from '../platform/db/statement.ts';

export interface PollRow {
  polled_to: Date;
  deep_polled_at: Date;
}

/** A provider account is polled by one process at a time. No row comes back while another has it. */
export const leasePoll = statement<PollRow>(
  'lease-credit-poll',
  `insert into credit_polls as p (rail, mode, polled_to, deep_polled_at, leased_until)
   values ($1, $2, $3, $3, $4)
   on conflict (rail) do update set leased_until = excluded.leased_until
     where p.leased_until is null or p.leased_until <= $3
   returning p.polled_to, p.deep_polled_at`,
);

/** Whoever polls is still at it. */
export const extendPoll = statement(
  'extend-credit-poll',
  'update credit_polls set leased_until = greatest(leased_until, $2) where rail = $1 and leased_until is not null',
);

/** The window was read whole, and everything in it taken. */
export const updatePolled = statement(
  'update-credit-poll',
  `update credit_polls
      set polled_to = greatest(polled_to, $2), deep_polled_at = case when $3 then $2 else deep_polled_at end,
          leased_until = null, last_poll_at = $4
    where rail = $1`,
);

export const releasePoll = statement(
  'release-credit-poll',
  'update credit_polls set leased_until = null where rail = $1',
);
