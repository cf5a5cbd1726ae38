import { statement } from '../platform/db/statement.ts';
import { type ReadinessDeps, type ReadinessProblem, readLiveReadiness } from './live-readiness.ts';

/** More merchants than these are not looked at one by one. */
const MOST_LOOKED_AT = 20;

/**
 * Approved merchants that may lack something which only the operator can connect or switch on: a service, an account number
 * or a rail. The newest first; $1 how many at most.
 */
const listMerchantsToConnect = statement<{ id: string; business_name: string }>(
  'list-merchants-to-connect',
  `select m.id, m.business_name
     from merchants m
    where m.status = 'ACTIVE'
      and (not exists (select 1 from default_rails where mode = 'LIVE')
           or not exists (select 1 from merchant_services s where s.merchant_id = m.id and s.service_key = 'COLLECTION')
           or not exists (select 1 from merchant_services s where s.merchant_id = m.id and s.service_key = 'PAYOUT')
           or not exists (select 1 from virtual_account_numbers n
                           where n.merchant_id = m.id and n.mode = 'LIVE' and n.closed_at is null))
    order by m.id desc
    limit $1`,
);

export interface WaitingMerchant {
  merchantId: string;
  businessName: string;
  /** What it waits for, each once. */
  problems: ReadinessProblem[];
}

/** The approved merchants, up to 20, whose live money waits for something that only the operator can do. */
export async function listWaitingMerchants(deps: ReadinessDeps): Promise<WaitingMerchant[]> {
  const found = await deps.database.query(listMerchantsToConnect, [MOST_LOOKED_AT]);
  const waiting = await Promise.all(
    found.map(async ({ id, business_name }) => {
      const { paymentIn, payout } = await readLiveReadiness(deps, id);
      const ofOperator = [...paymentIn, ...payout].filter(({ waitsFor }) => waitsFor === 'OPERATOR');
      const problems = [...new Map(ofOperator.map((lack) => [lack.code, lack])).values()];
      return { merchantId: id, businessName: business_name, problems };
    }),
  );
  return waiting.filter(({ problems }) => problems.length > 0);
}
