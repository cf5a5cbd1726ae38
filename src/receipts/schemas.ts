import { Type } from 'typebox';
import { DateTime, Named, Nullable, Uuid } from '../platform/http/schemas.ts';

export const ReceiptParams = Type.Object({ transactionId: Uuid('The payout.') });

export const ReceiptLinkParams = Type.Object({ transactionId: Uuid('The payout.'), linkId: Uuid('The link.') });

export const ReceiptQuery = Type.Object(
  {
    charges: Type.Optional(
      Type.Boolean({ description: 'True: with fee, VAT and stamp duty, for your own books.', default: false }),
    ),
  },
  { additionalProperties: false },
);

export const DEFAULT_LINK_DAYS = 30;
const MAX_LINK_DAYS = 365;

export const ShareReceiptBody = Type.Object(
  {
    expiresInDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LINK_DAYS,
        default: DEFAULT_LINK_DAYS,
        description: 'How long the link works.',
        'x-hint': `must be from 1 to ${MAX_LINK_DAYS}`,
      }),
    ),
  },
  { additionalProperties: false },
);

const link = {
  linkId: Uuid(),
  status: Type.Enum(['ACTIVE', 'EXPIRED', 'REVOKED']),
  createdBy: Type.String({ description: 'Who made it.' }),
  createdAt: DateTime(),
  expiresAt: DateTime(),
  revokedAt: Nullable(DateTime()),
  revokedBy: Nullable(Type.String()),
};

export const ReceiptLinkSchema = Named('ReceiptLink', Type.Object(link));

export const NewReceiptLinkSchema = Named(
  'NewReceiptLink',
  Type.Object({ ...link, url: Type.String({ description: 'Its address, this once.' }) }),
);

export const ReceiptLinksSchema = Type.Object({
  links: Type.Array(ReceiptLinkSchema, { description: 'The newest 50.' }),
});
