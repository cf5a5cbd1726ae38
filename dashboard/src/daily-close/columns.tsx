import type { Column } from '../components/table.tsx';
import { Amount } from '../components/values.tsx';

/** `PROVIDER_FLOAT` as words. */
export const words = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

/** A column of amounts; on a phone it is left out unless it is what the row comes to. */
export const amountColumn = <Row,>(
  key: string,
  header: string,
  of: (row: Row) => number | null,
  wideOnly = true,
): Column<Row> => ({
  key,
  header,
  align: 'right',
  wideOnly,
  cell: (row) => <Amount value={of(row)} />,
});
