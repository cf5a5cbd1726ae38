import { EmptyState } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import type { FieldRow } from './api-schema.ts';
import { WithCode } from './with-code.tsx';

const COLUMNS: readonly Column<FieldRow>[] = [
  {
    key: 'name',
    header: 'Field',
    cell: ({ name, isRequired, type }) => (
      <>
        <span className="font-mono text-xs break-all">{name}</span>
        {isRequired && <span className="ml-1.5 text-2xs text-muted">required</span>}
        <p className="text-xs break-words text-muted">{type}</p>
      </>
    ),
  },
  {
    key: 'about',
    header: 'Meaning',
    cell: ({ description }) => (
      <span className="text-xs">
        <WithCode text={description ?? ''} />
      </span>
    ),
  },
];

/** The fields of a schema, as the API document has them. */
export function FieldTable({ caption, fields }: { caption: string; fields: readonly FieldRow[] }) {
  return (
    <Table
      caption={caption}
      columns={[...COLUMNS]}
      rowKey={({ name }) => name}
      rows={fields}
      empty={<EmptyState title="No fields">What it holds depends on the case.</EmptyState>}
    />
  );
}
