import { Type } from 'typebox';
import { DateTime, Nullable, Uuid } from '../../platform/http/schemas.ts';
import { PersonName, Token } from '../links/schemas.ts';
import { Email, Password, RoleSchema } from '../sessions/schemas.ts';

export const MemberSchema = Type.Object({
  personId: Uuid(),
  email: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  role: Nullable(RoleSchema),
  status: Type.Union([Type.Literal('ACTIVE'), Type.Literal('INVITED'), Type.Literal('DISABLED')]),
  secondFactor: Type.Boolean(),
  lastSeenAt: Nullable(DateTime('Exact to a minute.')),
  createdAt: DateTime(),
  you: Type.Boolean(),
});

export const PersonIdSchema = Type.Object({ personId: Uuid() });

export const InviteMemberBody = Type.Object({ email: Email(), role: RoleSchema }, { additionalProperties: false });
export const InviteOperatorBody = Type.Object({ email: Email() }, { additionalProperties: false });
export const RoleBody = Type.Object({ role: RoleSchema }, { additionalProperties: false });

export const LookBody = Type.Object({ token: Token() }, { additionalProperties: false });
export const InvitationSchema = Type.Object({
  email: Type.String(),
  businessName: Nullable(Type.String({ description: "Null: the operator's staff." })),
  role: Nullable(RoleSchema),
  invitedBy: Type.String(),
});

export const AcceptBody = Type.Object(
  { token: Token(), password: Password(), firstName: PersonName('Bola'), lastName: PersonName('Ade') },
  { additionalProperties: false },
);
