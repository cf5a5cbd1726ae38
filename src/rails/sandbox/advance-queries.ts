import type { Mode } from '../../platform/tenant.ts';

/** Time that goes by in a sandbox, by the clock of the service at that moment. */
export interface AdvanceRow {
  merchant_id: string;
  mode: Mode;
  seconds: number;
  now: Date;
}

export const advanceColumns = { merchant_id: 'uuid', mode: 'text', seconds: 'integer', now: 'timestamptz' } as const;

/**
 * How much time goes by for whom. The simulated bank does nothing by itself more than an hour after it was asked: what is from before
 * `since` has come to its end. To move all that a merchant ever had would make each step of its clock dearer than the one before.
 */
export const ADVANCE = `(
     select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds, max(rows.now) - interval '1 day' as since
       from :rows group by 1, 2
   ) advance`;
