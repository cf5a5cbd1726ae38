import type { RecordOf } from '../api/types.ts';

/** What was written to merchants, as the operator's staff see it. */
export type Announcement = RecordOf<'/operator/announcement'>;
