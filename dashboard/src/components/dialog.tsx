import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { Alert } from './alert.tsx';
import { Button, IconButton } from './button.tsx';
import { cn } from './class-names.ts';

export interface DialogProps {
  open: boolean;
  /** Called for Escape, the cross and a click outside; that not once something is typed, except into the `top` one, which searches. */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** Buttons at the foot, the one that does it last. */
  actions?: ReactNode;
  /** Holds Escape, cross and clicks outside off while something is under way. */
  locked?: boolean;
  /** Holds clicks outside off: closing it costs more than what is typed into it. */
  staysOnClickBeside?: boolean;
  /** `side` comes in from the right and holds a record; `menu` from the left; `top` stays where it is as it grows. */
  kind?: 'centre' | 'wide' | 'top' | 'side' | 'menu';
  children?: ReactNode;
}

const KINDS: Record<NonNullable<DialogProps['kind']>, string> = {
  centre: 'm-auto w-[min(30rem,calc(100vw-1.5rem))] rounded-card max-h-[calc(100dvh-2rem)]',
  wide: 'm-auto w-[min(52rem,calc(100vw-1.5rem))] rounded-card max-h-[calc(100dvh-2rem)]',
  top: 'mx-auto mt-[8dvh] mb-auto w-[min(44rem,calc(100vw-1.5rem))] rounded-card max-h-[84dvh]',
  side: 'mr-0 ml-auto my-0 h-dvh max-h-dvh w-[min(34rem,100vw)]',
  menu: 'ml-0 mr-auto my-0 h-dvh max-h-dvh w-[min(19rem,88vw)]',
};

/**
 * The browser's own modal dialog: it keeps the focus and makes the page behind it inert. The focus goes to the field that
 * asks for it, and back to where it was. What is in it is created each time that it opens.
 */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

/** The second click on the button that opened it is none beside it. Systems take two clicks within this for a double one. */
const DOUBLE_CLICK_MS = 500;

function OpenDialog({ onClose, title, description, actions, locked, kind = 'centre', ...rest }: DialogProps) {
  const { staysOnClickBeside, children } = rest;
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [closesBeside, setClosesBeside] = useState(false);
  const isTyped = useRef(false);
  useEffect(() => {
    const timer = setTimeout(() => setClosesBeside(!isTyped.current), DOUBLE_CLICK_MS);
    return () => clearTimeout(timer);
  }, []);
  useShownWithFocus(element);

  return (
    <dialog
      ref={element}
      closedby={locked === true ? 'none' : closesBeside && staysOnClickBeside !== true ? 'any' : 'closerequest'}
      onInput={() => {
        isTyped.current = kind !== 'top';
        setClosesBeside(!isTyped.current);
      }}
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-about`}
      className={cn(
        // As it is on a page: one that is opened from a cell of a table stands in it.
        'rise flex flex-col overflow-hidden short:overflow-y-auto border bg-surface p-0 text-left font-normal whitespace-normal text-ink shadow-float',
        KINDS[kind],
      )}
      onCancel={(event) => {
        // The page takes it away, or keeps it where something is not done yet.
        event.preventDefault();
        if (locked !== true) onClose();
      }}
    >
      <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
        <div>
          <h2 id={`${id}-title`} tabIndex={-1} className="text-base font-semibold outline-none">
            {title}
          </h2>
          {description !== undefined && (
            <div id={`${id}-about`} className="mt-1 text-sm text-muted">
              {description}
            </div>
          )}
        </div>
        <IconButton icon={X} label="Close" className="-mt-1 -mr-2" disabled={locked} onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto short:flex-none short:overflow-visible px-5 pt-1 pb-5">
        {children}
      </div>
      {actions !== undefined && (
        <footer className="flex flex-wrap justify-end gap-2 border-t bg-sunken px-5 py-3 empty:hidden">
          {actions}
        </footer>
      )}
    </dialog>
  );
}

/** Where the focus was before a dialog, the nearest first: one that follows another on its place goes back past it. */
const CAME_FROM = new WeakMap<Element, readonly Element[]>();

function whereFocusIs(): readonly Element[] {
  const active = document.activeElement;
  // A button that was disabled as it was pressed has lost the focus: then the dialog that it stood in knows.
  const dialog = active?.closest('dialog') ?? [...document.querySelectorAll('dialog[open]')].at(-1);
  const before = (dialog === undefined ? undefined : CAME_FROM.get(dialog)) ?? [];
  return active === null || active === document.body ? before : [active, ...before];
}

/** A dialog that is taken off the page gives no focus back by itself, and opening it would put the focus on its cross. */
function useShownWithFocus(element: RefObject<HTMLDialogElement | null>): void {
  // Before what is in it takes the focus as it is drawn.
  const [cameFrom] = useState(whereFocusIs);
  const first = useRef<HTMLElement>(null);
  // Before it is painted: what is seen takes Escape.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null) return;
    CAME_FROM.set(dialog, cameFrom);
    const active = document.activeElement;
    if (first.current === null && active instanceof HTMLElement && dialog.contains(active)) first.current = active;
    if (!dialog.open) dialog.showModal();
    (first.current ?? firstPlaceOf(dialog))?.focus();
  }, [element, cameFrom]);
  // Once it is gone: before that, the page behind it takes no focus.
  useEffect(() => () => giveFocusBack(cameFrom), [cameFrom]);
}

/**
 * Where a dialog begins that nothing in it has taken the focus for: the field that asks for it, which could not while another
 * dialog kept the focus, or its first one; else its title, on which Enter does nothing.
 */
function firstPlaceOf(dialog: HTMLDialogElement): HTMLElement | undefined {
  const wanted = dialog.querySelector<HTMLElement>('[data-autofocus]');
  const fields = wanted === null ? [...dialog.querySelectorAll<HTMLElement>(FIELDS)] : [wanted];
  return fields.find((field) => field.checkVisibility()) ?? dialog.querySelector<HTMLElement>('h2') ?? undefined;
}

const FIELDS = ['input', 'select', 'textarea']
  .map((name) => `${name}:not(:disabled, [readonly], [type='hidden'], [type='file'], [type='search'])`)
  .join(', ');

function giveFocusBack(cameFrom: readonly Element[]): void {
  // Something has taken it meanwhile: the dialog that follows, or the page that one has come to.
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const there = cameFrom.find((one) => one instanceof HTMLElement && one.isConnected && !one.matches(':disabled'));
  const back = there ?? document.querySelector('main h1');
  if (back instanceof HTMLElement) back.focus({ preventScroll: true });
}

export interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What happens, and whether it can be undone. */
  children: ReactNode;
  /** The verb: "Revoke key". Never "OK". */
  confirm: string;
  /** The way out, where "Cancel" could be taken for what is asked. */
  cancel?: string;
  danger?: boolean;
  /** The dialog closes when it resolves and shows the refusal when it rejects. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ open, onClose, title, children, confirm, ...rest }: ConfirmDialogProps) {
  const { cancel = 'Cancel', danger, onConfirm } = rest;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  function close(): void {
    setProblem(undefined);
    onClose();
  }
  async function go(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm();
      close();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  const actions = (
    <>
      <Button onClick={close} disabled={busy}>
        {cancel}
      </Button>
      <Button look={danger === true ? 'danger' : 'primary'} busy={busy} onClick={() => void go()}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog open={open} onClose={close} title={title} locked={busy} actions={actions}>
      <div className="flex flex-col gap-3">
        {children}
        {problem !== undefined && <Alert tone="bad">{problem}</Alert>}
      </div>
    </Dialog>
  );
}
