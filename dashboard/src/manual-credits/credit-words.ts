import type { RecordOf } from '../api/types.ts';

export type ManualCredit = RecordOf<'/operator/manual-credit'>;
