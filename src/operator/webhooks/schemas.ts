import { Type } from 'typebox';
import { DateTime, Named, Nullable, Uuid } from '../../platform/http/schemas.ts';
import { listQuery } from '../../platform/lists/schemas.ts';
import { ModeWord, Word } from '../schemas.ts';

export const ListFailingQuery = Type.Object(listQuery(), { additionalProperties: false });

export const FailingEndpointSchema = Named(
  'FailingEndpoint',
  Type.Object({
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    mode: ModeWord(),
    url: Type.String({ description: 'Without what follows a question mark, which may be a secret.' }),
    status: Word(['ENABLED', 'DISABLED'] as const, 'Disabled: the receiver said that it is gone for good.'),
    reason: Nullable(Type.String()),
    failuresInARow: Type.Integer(),
    waiting: Type.Integer({ description: 'Tellings that have not arrived; counted to 10,000.' }),
    since: Nullable(DateTime('When the oldest of them was begun.')),
    pausedUntil: Nullable(DateTime()),
    lastCall: Nullable(
      Type.Object({
        at: DateTime(),
        statusCode: Nullable(Type.Integer({ description: 'Null: no answer came.' })),
        error: Nullable(Type.String()),
      }),
    ),
  }),
);
