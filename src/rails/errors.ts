import { AppError } from '../platform/errors.ts';

export function providerWebhookSignatureInvalid(): AppError {
  return new AppError(
    'unauthenticated',
    'PROVIDER_WEBHOOK_SIGNATURE_INVALID',
    'The webhook is not signed by the rail, or its signature is too old.',
  );
}

export function providerWebhookMalformed(): AppError {
  return new AppError(
    'invalid',
    'PROVIDER_WEBHOOK_MALFORMED',
    'The webhook is signed, but it is not one that we can read.',
  );
}

export function baseUrlInvalid(why: string): AppError {
  return new AppError('invalid', 'RAIL_BASE_URL_INVALID', `The address of the provider cannot be used: ${why}.`);
}
