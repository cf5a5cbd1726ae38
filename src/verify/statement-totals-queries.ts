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

/** Of books that an earlier release added up, the job adds what is missing first. */
const missingTotals = check(
  'statement-totals-go-as-far-as-the-days',
  'Every wallet has its totals at every 500th transfer, as far as its days are added up.',
  `select d.merchant_id, d.mode,
          format('wallet %s is added up to %s, and its statement to %s', d.wallet_id, d.through_sequence,
                 coalesce(m.sequence, 0)) as detail
     from (
       select merchant_id, mode, wallet_id, max(through_sequence) as through_sequence
         from daily_totals group by merchant_id, mode, wallet_id
     ) d
     join daily_total_cursors c on ${sameTenant('c', 'd')} and c.has_statement_totals
     left join (
       select merchant_id, mode, account_id, max(sequence) as sequence
         from statement_totals group by merchant_id, mode, account_id
     ) m on ${sameTenant('m', 'd')} and m.account_id = d.wallet_id
    where coalesce(m.sequence, 0) + ${STATEMENT_STEP} <= d.through_sequence`,
);

export const statementTotalChecks: readonly Check[] = [wrongTotals, missingTotals];
