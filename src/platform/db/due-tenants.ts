/**
 * The tenants that have rows of a table that may become due, each with the moment at which its first one is, as the common
 * table expression `tenants` of a `with recursive`. It hops from tenant to tenant through the index that begins with
 * merchant_id, mode and due_at and has this condition: it costs as much as there are such tenants, not as there are rows.
 * @param condition on the columns of the table alone, by which it has a due_at
 */
export const dueTenants = (table: string, condition: string): string => `tenants as (
     (select merchant_id, mode, due_at from ${table}
       where ${condition} order by merchant_id, mode, due_at limit 1)
     union all
     select next.merchant_id, next.mode, next.due_at
       from tenants
      cross join lateral (
        select t.merchant_id, t.mode, t.due_at from ${table} t
         where ${condition} and (t.merchant_id, t.mode) > (tenants.merchant_id, tenants.mode)
         order by t.merchant_id, t.mode, t.due_at limit 1
      ) next
   )`;
