import type { Data, RecordOf } from '../api/types.ts';

export type Settlement = RecordOf<'/collection/settlement'>;
export type SettlementLine = RecordOf<'/collection/settlement/{settlementId}/line'>;
export type SettlementSettings = Data<'get', '/collection/settlement/settings'>;

export const STATUSES = [
  { value: 'PROCESSING', label: 'On its way' },
  { value: 'PAID', label: 'Paid' },
  { value: 'FAILED', label: 'Failed' },
] as const;

export const STATUS_WORDS: Record<Settlement['status'], string> = {
  PROCESSING: 'On its way',
  PAID: 'Paid',
  FAILED: 'Failed',
};

export const TRIGGERS: Record<Settlement['trigger'], string> = {
  DAILY: 'By the daily schedule',
  INSTANT: 'At once',
  BY_HAND: 'By hand',
};

export const SCHEDULES: Record<SettlementSettings['schedule'], string> = {
  OFF: 'By hand only',
  DAILY: 'Each working day',
  INSTANT: 'At once',
};

/** When settlements go, as a sentence says it. */
export function scheduleText({ schedule, timeOfDay, windowSeconds }: SettlementSettings): string {
  if (schedule === 'DAILY') return `Each working day at ${timeOfDay}, Lagos time, up to the end of the day before`;
  if (schedule === 'INSTANT') return `Within ${Math.ceil(windowSeconds / 60)} minutes after a payment`;
  return 'Only by hand';
}
