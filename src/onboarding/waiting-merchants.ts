import { type ReadinessDeps, type ReadinessProblem, readLiveReadiness } from './live-readiness.ts';
import { listMerchantsToConnect } from './queries.ts';

/** More merchants than these are not looked at one by one. */
const MOST_LOOKED_AT = 20;

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
