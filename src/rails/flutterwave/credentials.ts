import { type Static, Type } from 'typebox';
import type { Mode } from '../../platform/tenant.ts';

/**
 * What the operator copies from the provider's dashboard: the secret key (Settings, API keys) and the secret hash
 * (Settings, Webhooks). The key's prefix says whether it is a test key.
 */
export const FlutterwaveCredentials = Type.Object(
  {
    secretKey: Type.String({ pattern: '^FLWSECK(_TEST)?-\\S{10,200}$' }),
    secretHash: Type.String({ minLength: 16, maxLength: 200 }),
    /** Ours -> the provider's, ahead of the built-in table. */
    bankCodes: Type.Optional(
      Type.Record(Type.String({ pattern: '^\\d{3,6}$' }), Type.String({ pattern: '^\\w{2,10}$' }), {
        additionalProperties: false,
      }),
    ),
  },
  { additionalProperties: false },
);

export type FlutterwaveCredentials = Static<typeof FlutterwaveCredentials>;

/** The mode that a key is for: a test key of Flutterwave pays nobody. */
export function flutterwaveMode({ secretKey }: FlutterwaveCredentials): Mode {
  return secretKey.startsWith('FLWSECK_TEST-') ? 'SANDBOX' : 'LIVE';
}
