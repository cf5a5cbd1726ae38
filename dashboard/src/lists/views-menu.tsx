import { Bookmark, BookmarkPlus, Check, ChevronDown, Save, Settings2, Star, Users } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { toast } from '../components/toast.tsx';
import { USUAL_COLUMNS } from './columns.tsx';
import { activeFields, type FilterSearch, type ViewList } from './filter-fields.ts';
import { isShown, keptOf, type SavedView, searchOf } from './view-filter.ts';

const ViewDialog = lazy(() => import('./view-dialog.tsx').then((part) => ({ default: part.ViewDialog })));

export interface ViewsMenuProps {
  list: ViewList;
  search: FilterSearch;
  /** Chosen columns; empty for the usual ones. */
  columns: readonly string[];
  onApply: (search: FilterSearch) => void;
}

/** The views of a list behind one button: one's own and what others share. */
export function ViewsMenu({ list, search, columns, onApply }: ViewsMenuProps) {
  const { data } = useRead('/saved-view', { query: { list } }, { staleTime: 60_000 });
  const views = data?.views ?? [];
  const shown = views.find((view) => isShown(list, view, search, columns));
  const [applied, setApplied] = useState<string>();
  const [open, setOpen] = useState<'NEW' | 'CHANGE'>();
  const change = useAction('patch', '/saved-view/{viewId}', { changes: ['/saved-view'] });
  const last = views.find(({ viewId, isOwn }) => isOwn && viewId === (shown?.viewId ?? applied));

  function apply(view: SavedView): void {
    setApplied(view.viewId);
    onApply({
      ...searchOf(list, view.filter),
      columns: view.columns.length === 0 ? USUAL_COLUMNS : view.columns.join(','),
      page: undefined,
    });
  }
  useDefault(views, search, list, apply);

  async function saveChanges(view: SavedView): Promise<void> {
    try {
      const body = { filter: keptOf(list, search), columns: [...columns] };
      await change.run({ path: { viewId: view.viewId }, body });
      toast({ tone: 'good', text: `“${view.name}” holds what is shown now.` });
    } catch (error) {
      toast({ tone: 'bad', text: messageOf(error) });
    }
  }

  const actions: MenuItem[] = [
    { label: 'Save as a new view', icon: BookmarkPlus, onSelect: () => setOpen('NEW') },
    ...(last !== undefined && shown === undefined
      ? [{ label: `Save the changes to “${last.name}”`, icon: Save, onSelect: () => void saveChanges(last) }]
      : []),
    ...(last === undefined
      ? []
      : [{ label: `Rename, share or delete “${last.name}”`, icon: Settings2, onSelect: () => setOpen('CHANGE') }]),
  ];
  return (
    <>
      <Menu
        align="start"
        heading={views.length === 0 ? 'No views yet: set filters and columns, and save them under a name.' : undefined}
        trigger={
          <Button size="small" icon={Bookmark} className="max-w-56">
            <span className="truncate">{shown?.name ?? 'Views'}</span>
            <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
          </Button>
        }
        groups={[...groupsOf(views, shown, apply), actions]}
      />
      {open !== undefined && (
        <Suspense>
          <ViewDialog
            list={list}
            kept={{ filter: keptOf(list, search), columns: [...columns] }}
            view={open === 'CHANGE' ? last : undefined}
            onClose={() => setOpen(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

function groupsOf(
  views: readonly SavedView[],
  shown: SavedView | undefined,
  apply: (view: SavedView) => void,
): MenuItem[][] {
  const item = (view: SavedView): MenuItem => ({
    label: view.isOwn ? view.name : `${view.name} (${view.personName})`,
    icon: view === shown ? Check : view.isDefault ? Star : view.isOwn ? Bookmark : Users,
    onSelect: () => apply(view),
  });
  const groups = [views.filter(({ isOwn }) => isOwn), views.filter(({ isOwn }) => !isOwn)];
  return groups.filter((group) => group.length > 0).map((group) => group.map(item));
}

/** A list that is come to without a filter opens with the view that is its default, once. */
function useDefault(
  views: readonly SavedView[],
  search: FilterSearch,
  list: ViewList,
  apply: (view: SavedView) => void,
): void {
  const cameBare = useRef(
    activeFields(list, search).length === 0 &&
      [search.order, search.columns, search.page].every((one) => one === undefined),
  );
  const first = views.find(({ isDefault }) => isDefault);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the views are there.
  useEffect(() => {
    if (first === undefined || !cameBare.current) return;
    cameBare.current = false;
    if (activeFields(list, search).length === 0) apply(first);
  }, [first]);
}
