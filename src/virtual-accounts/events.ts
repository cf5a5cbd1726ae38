import type { EventTypes } from '../platform/http/schemas.ts';
import { VirtualAccountSchema } from './schemas.ts';

export const virtualAccountEvents: EventTypes = {
  'virtual_account.requested': {
    summary: 'Somebody asked for an account number of a customer, or again for one of a wallet.',
    data: VirtualAccountSchema,
  },
  'virtual_account.opened': {
    summary: 'A wallet or a customer has an account number at a bank: anybody can pay to it.',
    data: VirtualAccountSchema,
  },
  'virtual_account.failed': {
    summary: 'A provider would not open an account number; `reason` and `message` say why.',
    data: VirtualAccountSchema,
  },
  'virtual_account.closed': {
    summary: 'The account number of a customer was closed: what is paid to it from now on goes to no wallet by itself.',
    data: VirtualAccountSchema,
  },
};
