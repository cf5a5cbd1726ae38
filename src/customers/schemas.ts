import { type Static, Type } from 'typebox';
import {
  DateTime,
  Email,
  type EventTypes,
  Metadata,
  Named,
  Nullable,
  ONE_FIELD,
  PhoneNumber,
  Uuid,
  VisibleText,
} from '../platform/http/schemas.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';

const Name = () => VisibleText({ minLength: 1, maxLength: 100, examples: ['Ada Obi'] });

export const CustomerSchema = Named(
  'Customer',
  Type.Object({
    customerId: Uuid(),
    name: Type.String(),
    email: Type.String(),
    phoneNumber: Nullable(Type.String()),
    metadata: Type.Unknown({ description: 'What you sent, unchanged.' }),
    version: Type.Integer({ description: 'Grows with every change.' }),
    createdAt: DateTime(),
    updatedAt: DateTime(),
  }),
);

export const CustomerPage = ListPage(CustomerSchema);

export const CustomerParams = Type.Object({ customerId: Uuid('The customer.') });

const filter = {
  search: Type.Optional(Type.String({ maxLength: 254, description: 'What a name or an e-mail address begins with.' })),
};

export const ListCustomersQuery = Type.Object({ ...listQuery(), ...filter }, { additionalProperties: false });
export const CustomerCsvQuery = Type.Object(filter, { additionalProperties: false });

export const CreateCustomerBody = Type.Object(
  {
    name: Name(),
    email: Email(),
    phoneNumber: Type.Optional(PhoneNumber()),
    metadata: Type.Optional(Nullable(Metadata())),
  },
  { additionalProperties: false },
);

export type CustomerInput = Static<typeof CreateCustomerBody>;

export const UpdateCustomerBody = Type.Object(
  {
    name: Type.Optional(Name()),
    email: Type.Optional(Email()),
    phoneNumber: Type.Optional(Nullable(PhoneNumber())),
    metadata: Type.Optional(Nullable(Metadata())),
  },
  { additionalProperties: false, minProperties: 1, 'x-hint': ONE_FIELD },
);

export type CustomerChanges = Static<typeof UpdateCustomerBody>;

export const customerEvents: EventTypes = {
  'customer.created': { summary: 'A customer was added.', data: CustomerSchema },
  'customer.updated': { summary: 'A customer was changed.', data: CustomerSchema },
};
