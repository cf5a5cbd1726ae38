import { AppError } from '../platform/errors.ts';

export const liveKeyRequired = () =>
  new AppError(
    'forbidden',
    'LIVE_KEY_REQUIRED',
    'productionWebhookURL can be changed with a live key only, so that a sandbox key never redirects live events.',
  );
