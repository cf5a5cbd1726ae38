import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { serviceUnknown } from './errors.ts';
import { requireMerchant } from './find-merchant.ts';
import { deleteMerchantService, insertMerchantService } from './queries.ts';
import { isServiceKey } from './services.ts';

interface ServiceChoice {
  merchantId: string;
  service: string;
}

/** Switching on what is on changes nothing. @throws AppError `SERVICE_UNKNOWN` or `MERCHANT_NOT_FOUND`. */
export async function enableService(deps: { queries: Queries; clock: Clock }, input: ServiceChoice): Promise<void> {
  await checkChoice(deps.queries, input);
  await deps.queries.query(insertMerchantService, [input.merchantId, input.service, deps.clock.now()]);
}

/** What was begun goes on; new requests are refused. @throws AppError as `enableService`. */
export async function disableService(deps: { queries: Queries }, input: ServiceChoice): Promise<void> {
  await checkChoice(deps.queries, input);
  await deps.queries.query(deleteMerchantService, [input.merchantId, input.service]);
}

async function checkChoice(queries: Queries, { merchantId, service }: ServiceChoice): Promise<void> {
  if (!isServiceKey(service)) throw serviceUnknown(service);
  await requireMerchant(queries, merchantId);
}
