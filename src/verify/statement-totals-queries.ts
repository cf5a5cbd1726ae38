import { POSTED, STATEMENT_STEP, WALLET_KINDS } from '../ledger/index.ts';
import { type Check, check, sameTenant } from './queries.ts';

const side = (own: 'debit' | 'credit') =>
  `select t.merchant_id, t.mode, t.${own}_account_id as account_id, t.${own}_sequence as sequence, t.kind, t.amount_minor,
          '${own}'::text as direction
     from transfers t`;

const sumOf = (direction: string) =>
  `coalesce(sum(amount_minor) filter (where ${POSTED} and direction = '${direction}'), 0)`;

/** What is added from one total to the next; nothing is sorted but the totals, of which there are few. */
const wrongTotals = check(
  'statement-totals-are-their-transfers',
  'What a wallet’s entries come to at every 500th transfer is what they come to.',
  `select m.merchant_id, m.mode,
          format('account %s at %s, %s after the total before: %s; its transfers: %s', m.account_id, m.sequence, m.step,
                 concat_ws(', ', m.entries, m.credits, m.debits), concat_ws(', ', t.entries, t.credits, t.debits)) as detail
     from (
       select merchant_id, mode, account_id, sequence, sequence - lag(sequence, 1, 0::bigint) over earlier as step,
              entries - lag(entries, 1, 0::bigint) over earlier as entries,
              credits_minor - lag(credits_minor, 1, 0::bigint) over earlier as credits,
              debits_minor - lag(debits_minor, 1, 0::bigint) over earlier as debits
         from statement_totals
       window earlier as (partition by merchant_id, mode, account_id order by sequence)
     ) m
     left join (
       select merchant_id, mode, account_id, (sequence + ${STATEMENT_STEP - 1}) / ${STATEMENT_STEP} * ${STATEMENT_STEP} as sequence,
              count(*) filter (where ${POSTED}) as entries, ${sumOf('credit')} as credits, ${sumOf('debit')} as debits
         from (${side('debit')} union all ${side('credit')}) sides
        group by 1, 2, 3, 4
     ) t on ${sameTenant('t', 'm')} and t.account_id = m.account_id and t.sequence = m.sequence
     left join accounts a on ${sameTenant('a', 'm')} and a.id = m.account_id and a.kind in ${WALLET_KINDS}
    where m.step <> ${STATEMENT_STEP} or a.id is null or a.sequence < m.sequence
       or t.entries is distinct from m.entries or t.credits is distinct from m.credits or t.debits is distinct from m.debits`,
);

export const statementTotalChecks: readonly Check[] = [wrongTotals];
