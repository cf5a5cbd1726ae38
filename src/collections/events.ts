import type { EventTypes } from '../platform/http/schemas.ts';
import { InboundPaymentSchema } from './schemas.ts';

export const collectionEvents: EventTypes = {
  'inbound_payment.credited': {
    summary: 'Somebody paid to an account number of a wallet, and the wallet has it, less the operator’s fee and VAT.',
    data: InboundPaymentSchema,
  },
  'inbound_payment.pending': {
    summary:
      'Somebody paid to an account number of a wallet; the wallet has it once the provider has settled it, and then ' +
      '`inbound_payment.credited` comes.',
    data: InboundPaymentSchema,
  },
  'inbound_payment.held': {
    summary: 'Somebody paid to an account number of a wallet, and the amount is held: `reason` says why.',
    data: InboundPaymentSchema,
  },
  'inbound_payment.returned': {
    summary: 'A payment that was held went back to its payer.',
    data: InboundPaymentSchema,
  },
  'inbound_payment.kept': {
    summary: 'A payment that was held stays with the operator.',
    data: InboundPaymentSchema,
  },
};
