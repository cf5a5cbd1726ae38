import type { LucideIcon } from 'lucide-react';
import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { cn } from './class-names.ts';

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  onSelect: () => void;
  danger?: boolean;
  /** Why it cannot be chosen now; shown under the label. */
  disabledBecause?: string | undefined;
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<object>;
  /** Groups are divided by a line. */
  groups: readonly (readonly MenuItem[])[];
  /** Words above the items. */
  heading?: ReactNode;
  align?: 'start' | 'end';
}

/**
 * Actions behind one button. A popover of the browser's own: it stands above everything, dialogs too, closes with Escape
 * and a click elsewhere, and gives the focus back. Its button is its anchor: it stays beside it as the page scrolls.
 */
export function Menu({ trigger, groups, heading, align = 'end' }: MenuProps) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  function toggled(event: { newState: string }): void {
    setOpen(event.newState === 'open');
    if (event.newState === 'open' && popover.current !== null) itemsIn(popover.current)[0]?.focus();
  }
  function choose(item: MenuItem): void {
    if (item.disabledBecause !== undefined) return;
    popover.current?.hidePopover();
    item.onSelect();
  }

  return (
    <>
      {cloneElement(trigger, {
        id: `${id}-button`,
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
      } as object)}
      <div
        ref={popover}
        id={id}
        popover="auto"
        onToggle={toggled}
        className={cn(
          'max-w-80 min-w-52 rounded-card border bg-raised p-1.5 text-left text-ink shadow-float',
          align === 'end' ? 'beside-button-end' : 'beside-button-start',
        )}
      >
        {heading !== undefined && <div className="px-2.5 pt-1.5 pb-2 text-xs text-muted">{heading}</div>}
        <div
          role="menu"
          aria-labelledby={`${id}-button`}
          tabIndex={-1}
          onKeyDown={(event) => press(event, popover.current)}
        >
          {groups.map((items, at) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of menu items is no fieldset.
            <div key={items[0]?.label ?? at} role="group" className={cn(at > 0 && 'mt-1.5 border-t pt-1.5')}>
              {items.map((item) => (
                <Item key={item.label} item={item} onChoose={choose} />
              ))}
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

function Item({ item, onChoose }: { item: MenuItem; onChoose: (item: MenuItem) => void }) {
  const { label, icon: Icon, danger, disabledBecause } = item;
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={disabledBecause !== undefined}
      onClick={() => onChoose(item)}
      onPointerEnter={(event) => event.currentTarget.focus({ preventScroll: true })}
      className={cn(
        'flex w-full items-start gap-2.5 rounded-md px-2.5 py-2 text-left text-sm outline-none focus:bg-hover',
        'aria-disabled:cursor-not-allowed aria-disabled:text-muted',
        danger === true && 'text-bad',
      )}
    >
      {Icon !== undefined && <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />}
      <span>
        {label}
        {disabledBecause !== undefined && <span className="block text-xs text-muted">{disabledBecause}</span>}
      </span>
    </button>
  );
}

function itemsIn(popover: HTMLElement): HTMLElement[] {
  return [...popover.querySelectorAll<HTMLElement>('[role=menuitem]')];
}

/** Arrows, Home and End walk; a letter goes to the next item that begins with it; Tab leaves. */
function press(event: KeyboardEvent, popover: HTMLElement | null): void {
  if (popover === null) return;
  if (event.key === 'Tab') {
    popover.hidePopover();
    return;
  }
  const items = itemsIn(popover);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = nextItem(event.key, items, at);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function nextItem(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  switch (key) {
    case 'ArrowDown':
      return items[(at + 1) % items.length];
    case 'ArrowUp':
      return items.at(at <= 0 ? -1 : at - 1);
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default: {
      if (key.length !== 1 || key === ' ') return undefined;
      const fromNext = [...items.slice(at + 1), ...items.slice(0, at + 1)];
      return fromNext.find((item) => item.innerText.trim().toLowerCase().startsWith(key.toLowerCase()));
    }
  }
}
