import type { EventTypes } from '../platform/http/schemas.ts';
import { VirtualAccountSchema } from './schemas.ts';

export const virtualAccountEvents: EventTypes = {
  'virtual_account.opened': {
    summary: 'A wallet has an account number at a bank: anybody can pay to it.',
    data: VirtualAccountSchema,
  },
  'virtual_account.failed': {
    summary: 'A provider would not open an account number for a wallet; `reason` and `message` say why.',
    data: VirtualAccountSchema,
  },
};
