import type { Mode } from './tenant.ts';

/** Something that must never happen did: facts that have to agree do not. */
export interface Alarm {
  /** UPPER_SNAKE, as in the log and the evidence. */
  alarm: string;
  mode: Mode;
  /** The rail whose answer it is, where it is one. */
  rail?: string;
}

/** Called for each alarm, beside its line in the log: people have to look, and the monitoring is notified. */
export type OnAlarm = (alarm: Alarm) => void;
