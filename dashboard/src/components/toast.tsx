import { X } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Alert, type Tone } from './alert.tsx';
import { IconButton } from './button.tsx';

interface Toast {
  id: number;
  tone: Tone;
  text: string;
  /** A word and what it does, such as Undo. */
  action?: { label: string; onClick: () => void };
}

const LASTS_MS = 7_000;

let toasts: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says in passing that something is done. What has to be acted on stands on the page instead. */
export function toast(given: Omit<Toast, 'id'>): void {
  count += 1;
  const id = count;
  set([...toasts.slice(-2), { id, ...given }]);
  setTimeout(() => dismiss(id), LASTS_MS);
}

function dismiss(id: number): void {
  set(toasts.filter((shown) => shown.id !== id));
}

/** Stands once in the page, above everything, also above open dialogs. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const layer = element.current;
    if (layer === null) return;
    if (layer.matches(':popover-open')) layer.hidePopover();
    if (shown.length > 0) layer.showPopover();
  }, [shown]);

  return (
    <div
      ref={element}
      popover="manual"
      className="fixed inset-auto right-4 bottom-4 m-0 w-[min(24rem,calc(100vw-2rem))] overflow-visible border-0 bg-transparent p-0"
    >
      <div role="status" className="flex flex-col gap-2">
        {shown.map(({ id, tone, text, action }) => (
          <Alert
            key={id}
            tone={tone}
            className="rise shadow-float"
            action={
              <span className="-my-1.5 flex items-center">
                {action !== undefined && (
                  <button
                    type="button"
                    className="rounded-md px-2 py-1 font-semibold underline"
                    onClick={() => {
                      action.onClick();
                      dismiss(id);
                    }}
                  >
                    {action.label}
                  </button>
                )}
                <IconButton icon={X} label="Dismiss" onClick={() => dismiss(id)} />
              </span>
            }
          >
            {text}
          </Alert>
        ))}
      </div>
    </div>
  );
}
