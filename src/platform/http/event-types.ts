import type { TSchema } from 'typebox';

/** The events that a module tells, by type: when one is written, and what its `data` is made of. */
export type EventTypes = Readonly<Record<string, { summary: string; data: TSchema }>>;
