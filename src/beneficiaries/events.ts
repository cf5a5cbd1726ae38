import type { EventTypes } from '../platform/http/schemas.ts';
import { BeneficiarySchema } from './schemas.ts';

const beneficiary = (summary: string) => ({ summary, data: BeneficiarySchema });

export const beneficiaryEvents: EventTypes = {
  'beneficiary.pending_approval': beneficiary('A beneficiary was added and waits for approval.'),
  'beneficiary.added': beneficiary('A beneficiary was added, or approved.'),
  'beneficiary.removed': beneficiary('A beneficiary was removed, or not approved.'),
};
