import { Type } from 'typebox';
import { Amount, DateTime, type EventTypes, Named, Narration, Pin, Uuid } from '../platform/http/schemas.ts';
import { listQuery } from '../platform/lists/schemas.ts';
import { TransactionSchema } from '../transactions/index.ts';
import { ChildName, childWalletFields } from '../wallets/index.ts';

export const DebitStoreBody = Type.Object(
  { pin: Pin(), amount: Amount(), storeId: Uuid('The store to debit.'), narration: Narration() },
  { additionalProperties: false },
);

export const StoreDebitSchema = Named(
  'StoreDebit',
  Type.Interface([TransactionSchema], {
    storeId: Uuid(),
    storeName: Type.String(),
    status: Type.Literal('SUCCESS'),
    category: Type.Literal('STORE_TO_MERCHANT'),
    fromWalletId: Uuid(),
    toWalletId: Uuid(),
    paidAt: DateTime(),
  }),
);

export const CreateStoreBody = Type.Object({ name: ChildName('Ikeja') }, { additionalProperties: false });

export const ListStoresQuery = Type.Object(
  { ...listQuery(), search: Type.Optional(Type.String({ maxLength: 80, description: 'Part of a name.' })) },
  { additionalProperties: false },
);

export const StoreParams = Type.Object({ storeId: Uuid('The store.') });

export const StoreSchema = Named('Store', Type.Object({ storeId: Uuid(), name: Type.String(), ...childWalletFields }));

export const storeEvents: EventTypes = {
  'store.created': { summary: 'A store was opened with a wallet of its own.', data: StoreSchema },
};
