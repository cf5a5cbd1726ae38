import type { EventTypes } from '../platform/http/schemas.ts';
import { SubaccountSchema } from './schemas.ts';

export const subaccountEvents: EventTypes = {
  'subaccount.created': { summary: 'A subaccount was opened with a wallet of its own.', data: SubaccountSchema },
};
