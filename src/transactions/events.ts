import type { EventTypes } from '../platform/http/schemas.ts';
import { TransactionSchema } from './schemas.ts';

export const transactionEvents: EventTypes = {
  'transaction.succeeded': {
    summary: 'Money moved between wallets of the merchant, or into one.',
    data: TransactionSchema,
  },
};
