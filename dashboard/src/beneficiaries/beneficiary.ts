import type { RecordOf } from '../api/types.ts';

/** An account that is paid again, as the list has it. */
export type Beneficiary = RecordOf<'/beneficiary'>;
