import { type Write, write } from '../platform/db/statement.ts';
import { updateMakerChecker } from './queries.ts';

/** What the merchant's profile shows. What is enforced stands in the rules of approval, which write this beside them. */
export function makerCheckerWrite(merchantId: string, movementId: string, isEnabled: boolean): Write {
  return write(updateMakerChecker, { merchant_id: merchantId, id: movementId, is_enabled: isEnabled });
}
