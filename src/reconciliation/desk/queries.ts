import { statement } from '../../platform/db/statement.ts';
import type { FloatCheckRow, LineRow } from '../queries.ts';

/** Newest first. */
export const listFloatChecks = statement<FloatCheckRow>(
  'list-float-checks',
  'select * from float_checks order by checked_at desc, id desc offset $1 limit $2',
);

export const countFloatChecks = statement<{ total: number }>(
  'count-float-checks',
  'select count(*)::int as total from float_checks',
);

/** Of each group of rails that was ever compared, the last comparison. */
export const listLastFloatChecks = statement<FloatCheckRow>(
  'list-last-float-checks',
  `select distinct on (mode, rails, merchant_id) * from float_checks
    order by mode, rails, merchant_id, checked_at desc, id desc`,
);

const LAST_LINE = 2 ** 31 - 1;
/** `OPEN`: does not agree, and nobody has resolved it. */
const OF_STATE = `(case $2
      when 'OPEN' then l.result <> 'MATCHED' and l.resolved_at is null
      when 'RESOLVED' then l.resolved_at is not null
      when 'MATCHED' then l.result = 'MATCHED'
      else l.result is not null end)
      and ($3::text is null or l.result = $3)`;

/** By line, what the file lacks last. */
export const listLinePage = statement<LineRow>(
  'list-settlement-line-page',
  `select * from settlement_lines l
    where l.import_id = $1 and ${OF_STATE}
    order by coalesce(l.line_number, ${LAST_LINE}), l.id offset $4 limit $5`,
);

export const countLinePage = statement<{ total: number }>(
  'count-settlement-line-page',
  `select count(*)::int as total from settlement_lines l where l.import_id = $1 and ${OF_STATE}`,
);

/** What differs from our books in any file, and waits for somebody. */
export const countOpenLines = statement<{ total: number }>(
  'count-open-settlement-lines',
  `select count(*)::int as total
     from settlement_imports i
     join settlement_lines l on l.import_id = i.id
    where l.result <> 'MATCHED' and l.resolved_at is null`,
);

export const countImports = statement<{ total: number }>(
  'count-settlement-imports',
  'select count(*)::int as total from settlement_imports',
);
