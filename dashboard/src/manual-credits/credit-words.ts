import type { RecordOf } from '../api/types.ts';

export type ManualCredit = RecordOf<'/operator/manual-credit'>;

/** As the service has it. */
export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024;
