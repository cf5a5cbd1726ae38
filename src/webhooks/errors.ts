import { AppError } from '../platform/errors.ts';
import { manyOf } from '../platform/text.ts';

export const deliveryNotFound = () =>
  new AppError(
    'not_found',
    'WEBHOOK_DELIVERY_NOT_FOUND',
    'There is no delivery with this id. An event has one as soon as it was sent for the first time.',
  );

export const endpointMissing = () =>
  new AppError(
    'conflict',
    'WEBHOOK_ENDPOINT_MISSING',
    'No webhook address is set for this mode. Set one with PATCH /merchant/info.',
  );

export const endpointDisabled = () =>
  new AppError(
    'conflict',
    'WEBHOOK_ENDPOINT_DISABLED',
    'The webhook address is disabled because it answered 410. Enable it first with POST /webhook/endpoint/enable.',
  );

export const endpointEnabled = () =>
  new AppError('conflict', 'WEBHOOK_ENDPOINT_ENABLED', 'The webhook address is not disabled.');

export const rotatedTooSoon = (retryAfterSeconds: number) =>
  new AppError('rate_limited', 'WEBHOOK_SECRET_ROTATED', 'The signing secret was changed less than a minute ago.', {
    retryAfterSeconds,
  });

export const testedTooSoon = (retryAfterSeconds: number) =>
  new AppError(
    'rate_limited',
    'WEBHOOK_TESTED_TOO_SOON',
    `The webhook address was tested less than ${manyOf(retryAfterSeconds, 'second')} ago.`,
    { retryAfterSeconds },
  );

export const sequenceOutOfRange = (stoppedAt: bigint, last: bigint) =>
  new AppError(
    'refused',
    'WEBHOOK_SEQUENCE_OUT_OF_RANGE',
    `after must be from ${stoppedAt}, where delivery stopped, to ${last}, the last event.`,
  );
