import { DescriptionList } from '../components/description-list.tsx';
import type { ReviewItem } from './facts.ts';

/** Facts under one another, to read beside what proves them. */
export function FactRows({ items }: { items: readonly ReviewItem[] }) {
  return (
    <DescriptionList
      layout="rows"
      items={items.map((item) => ({ label: item.label, value: <FactValue item={item} /> }))}
    />
  );
}

/** Also one that is masked: it is read in one piece. */
const NUMBER = /^[\d*]+$/;

/** A fact, and what is in force where an accepted merchant wants it changed. */
export function FactValue({ item: { value, before } }: { item: ReviewItem }) {
  const shown = NUMBER.test(value) ? <span className="whitespace-nowrap">{value}</span> : value;
  const now = value === '' ? <span className="text-muted">Not given</span> : shown;
  if (before === undefined) return now;
  return (
    <>
      <mark className="rounded-sm bg-warn-soft px-1 text-warn">{now}</mark>
      <span className="block text-xs text-muted">In force: {before === '' ? 'nothing' : before}</span>
    </>
  );
}
