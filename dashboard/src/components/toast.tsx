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
  raise();
  set([...toasts.slice(-2), { id, ...given }]);
  if (!held) lastFrom(id);
}

function dismiss(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  set(toasts.filter((shown) => shown.id !== id));
  // What goes from under the pointer fires no event for leaving.
  if (toasts.length === 0) held = false;
}

const timers = new Map<number, ReturnType<typeof setTimeout>>();
/** Under the pointer or the focus they stay: somebody reads them, or is about to undo. */
let held = false;

function lastFrom(id: number): void {
  timers.set(
    id,
    setTimeout(() => dismiss(id), LASTS_MS),
  );
}

function hold(): void {
  held = true;
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
}

function release(): void {
  if (!held) return;
  held = false;
  for (const { id } of toasts) lastFrom(id);
}

let layer: HTMLElement | null = null;

/** Above a dialog that was opened after it. */
function raise(): void {
  if (layer?.matches(':popover-open') === true) layer.hidePopover();
  layer?.showPopover();
}

/**
 * Stands once in the page, above everything, also above open dialogs. It is shown empty as well: a screen reader reads out
 * what comes into a place that it knows, not a place that comes with its words.
 */
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
    layer = element.current;
    for (const arrived of ['pointerenter', 'focusin']) layer?.addEventListener(arrived, hold);
    for (const left of ['pointerleave', 'focusout']) layer?.addEventListener(left, release);
    raise();
    return () => {
      layer = null;
    };
  }, []);

  return (
    <div
      ref={element}
      popover="manual"
      className="fixed inset-auto right-4 bottom-4 not-short:[body:has([data-action-bar])_&]:bottom-44 lg:not-short:[body:has([data-action-bar])_&]:bottom-24 m-0 w-[min(24rem,calc(100vw-2rem))] overflow-visible border-0 bg-transparent p-0"
    >
      <div role="status" className="flex flex-col gap-2">
        {shown.map(({ id, tone, text, action }) => (
          <Alert
            key={id}
            tone={tone}
            className="rise shadow-float max-sm:[&:not(:last-child)]:hidden"
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
