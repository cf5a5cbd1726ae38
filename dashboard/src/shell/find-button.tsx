import { Search } from 'lucide-react';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { Alert } from '../components/alert.tsx';
import { Dialog } from '../components/dialog.tsx';
import type { FindProps } from './find-places.ts';

const load = () => import('./find-dialog.tsx');
const FindDialog = lazy(() =>
  load().then(
    (part) => ({ default: part.FindDialog }),
    // The page stays, with what was typed in it.
    () => ({ default: NotFetched }),
  ),
);

/** In the head of every page: opens the dialog that finds whatever there is, as Ctrl+K, ⌘K and `/` do. */
export function FindButton(props: FindProps) {
  const [open, setOpen] = useState(false);
  const typedAhead = useRef<string>(undefined);
  const show = () => {
    typedAhead.current = '';
    setOpen(true);
  };
  const close = () => {
    typedAhead.current = undefined;
    setOpen(false);
  };
  useFindKeys(show, typedAhead);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K /"
        aria-haspopup="dialog"
        title="Find anything (Ctrl+K or /)"
        className="flex min-h-9 items-center gap-2 rounded-control px-2 text-muted hover:bg-hover hover:text-ink md:border md:border-edge md:bg-surface md:pr-1.5"
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={show}
      >
        <Search className="size-4.5 shrink-0" aria-hidden />
        <span className="sr-only md:not-sr-only">Find</span>
        <kbd className="hidden rounded-md border bg-sunken px-1.5 py-0.5 font-mono text-2xs md:block" aria-hidden>
          Ctrl K
        </kbd>
      </button>
      {open && (
        <Suspense>
          <FindDialog {...props} typedAhead={typedAhead} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

function NotFetched({ typedAhead, onClose }: { typedAhead: RefObject<string | undefined>; onClose: () => void }) {
  useEffect(() => {
    typedAhead.current = undefined;
  }, [typedAhead]);
  return (
    <Dialog open onClose={onClose} title="Find">
      <Alert tone="bad">The search could not be fetched. Once the connection is back, reload the page.</Alert>
    </Dialog>
  );
}

/** @param typedAhead until the dialog's field has it, what was typed since. Undefined afterwards, and while it is closed. */
function useFindKeys(open: () => void, typedAhead: RefObject<string | undefined>): void {
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (typedAhead.current !== undefined) {
        if (event.key.length > 1 || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        typedAhead.current += event.key;
        return;
      }
      const withControl = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
      const slash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
      if ((!withControl && !slash) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      open();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
