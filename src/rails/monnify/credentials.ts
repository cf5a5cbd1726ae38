import { type Static, Type } from 'typebox';
import type { Mode } from '../../platform/tenant.ts';

/**
 * What the operator copies from the provider's dashboard (Developer, API keys) and the number of the wallet that is
 * debited. The key's prefix says whether it is a test key. The secret key signs the webhooks too.
 */
export const MonnifyCredentials = Type.Object(
  {
    apiKey: Type.String({ pattern: '^MK_(TEST|PROD)_\\w{4,100}$' }),
    secretKey: Type.String({ minLength: 16, maxLength: 200 }),
    walletAccountNumber: Type.String({ pattern: '^\\d{10}$' }),
    /** Ours -> the provider's, ahead of the built-in table. */
    bankCodes: Type.Optional(
      Type.Record(Type.String({ pattern: '^\\d{3,6}$' }), Type.String({ pattern: '^\\w{2,10}$' }), {
        additionalProperties: false,
      }),
    ),
  },
  { additionalProperties: false },
);

export type MonnifyCredentials = Static<typeof MonnifyCredentials>;

/** The mode that a key is for: a test key of Monnify pays nobody. */
export function monnifyMode({ apiKey }: MonnifyCredentials): Mode {
  return apiKey.startsWith('MK_TEST_') ? 'SANDBOX' : 'LIVE';
}
