import { Check, ChevronsUpDown } from 'lucide-react';
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { cn } from './class-names.ts';
import type { ControlProps } from './field.tsx';

export interface Option {
  value: string;
  label: string;
  /** A second line, also searched. */
  detail?: string;
}

export interface ComboboxProps extends Partial<ControlProps> {
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  placeholder?: string;
  /** Said where nothing fits what was typed. */
  nothing?: string;
  disabled?: boolean;
  /** Its name, where no label stands beside it. */
  label?: string;
  /** Tab takes what is highlighted in the list, as Enter does, before it goes on. */
  takesOnTab?: boolean;
  /** The options are those that fit what was typed: the service looks for them. Undefined: the list was closed. */
  onType?: (typed: string | undefined) => void;
  /** With `onType`: they are on their way. */
  isSearching?: boolean;
  /** With `onType`: what is chosen, which need not be among the options. */
  chosen?: Option | undefined;
  ref?: Ref<{ focus: () => void }>;
}

const MOST_SHOWN = 60;

/** A choice among many, found by typing: banks, stores, people. */
export function Combobox(props: ComboboxProps) {
  const { value, onBlur, placeholder, nothing = 'No matches.', disabled, label, isSearching, ref } = props;
  const { id, 'aria-invalid': invalid, 'aria-describedby': describedBy, 'aria-required': required } = props;
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const search = useChoiceSearch(props, listId);
  const { open, found, active } = search;
  const isEmpty = open && found.length === 0;
  const empty = isSearching === true ? 'Searching…' : nothing;
  const box = useInSight(open, isEmpty ? 0 : found.length);
  useImperativeHandle(ref, () => ({ focus: () => input.current?.focus() }), []);

  return (
    <div ref={box} className="relative">
      <input
        id={id}
        aria-label={label}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        aria-required={required}
        ref={input}
        role="combobox"
        aria-expanded={open && !isEmpty}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && found[active] !== undefined ? optionId(listId, active) : undefined}
        autoComplete="off"
        className="control pr-9"
        placeholder={placeholder}
        disabled={disabled}
        value={search.text}
        onChange={(event) => search.type(event.target.value)}
        onClick={search.show}
        onFocus={(event) => event.target.select()}
        onBlur={() => {
          search.close();
          onBlur?.();
        }}
        onKeyDown={search.press}
      />
      <ChevronsUpDown
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
        aria-hidden
      />
      <ChoiceList
        id={listId}
        open={open && !isEmpty}
        found={found}
        active={active}
        value={value}
        onActive={search.highlight}
        onChoose={search.choose}
      />
      {/* A list may hold nothing but its choices: that it has none is read out here. */}
      <p role="status" className={isEmpty ? cn(FLOATS, 'px-4 py-3.5 text-muted') : 'sr-only'}>
        {isEmpty ? empty : ''}
      </p>
    </div>
  );
}

/** What opens below a field at the foot of a dialog would be out of sight: a dialog scrolls, and nothing says so. */
function useInSight(open: boolean, count: number): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open || box.current?.closest('dialog') == null) return;
    const shown = box.current.querySelector(count === 0 ? '[role=status]' : '[role=listbox]');
    shown?.scrollIntoView({ block: 'nearest' });
  }, [open, count]);
  return box;
}

/** What was typed, what fits it, which of those is highlighted, and what the keys do. */
function useChoiceSearch(props: ComboboxProps, listId: string) {
  const { options, value, onChange, takesOnTab, onType, isSearching } = props;
  const [typed, setTyped] = useState<string>();
  // -1: nothing is highlighted, so that Enter in a field that was only looked at changes nothing.
  const [active, setActive] = useState(-1);
  const open = typed !== undefined;
  const chosen = options.find((option) => option.value === value) ?? props.chosen;
  const found = open ? fitting() : [];

  function fitting(): readonly Option[] {
    if (onType === undefined) return findOptions(options, typed === chosen?.label ? '' : (typed ?? ''));
    // What is shown fits what is typed, or Enter would choose something else.
    return isSearching === true ? [] : options;
  }

  function choose(option: Option | undefined): void {
    if (option !== undefined) onChange(option.value);
    close();
  }
  function show(): void {
    if (open) return;
    setTyped(chosen?.label ?? '');
    onType?.('');
    setActive(-1);
  }
  function moveTo(at: number): void {
    setActive(at);
    document.getElementById(optionId(listId, at))?.scrollIntoView({ block: 'nearest' });
  }
  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!open) show();
      else moveTo((Math.max(active, step === 1 ? -1 : 0) + step + found.length) % Math.max(found.length, 1));
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      choose(found[active]);
    } else if (event.key === 'Tab' && open && takesOnTab === true) {
      choose(found[active]);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  }
  function type(text: string): void {
    setTyped(text);
    onType?.(text);
    setActive(0);
  }
  function close(): void {
    setTyped(undefined);
    onType?.(undefined);
  }
  return {
    open,
    found,
    active,
    text: typed ?? chosen?.label ?? '',
    choose,
    show,
    press,
    type,
    close,
    highlight: setActive,
  };
}

interface ChoiceListProps {
  id: string;
  open: boolean;
  found: readonly Option[];
  /** The place of the one that is highlighted. */
  active: number;
  value: string;
  onActive: (at: number) => void;
  onChoose: (option: Option) => void;
}

const optionId = (listId: string, at: number) => `${listId}-${at}`;

const FLOATS = 'absolute inset-x-0 top-full z-30 mt-1 rounded-card border bg-raised shadow-float';

/** Over what follows, and inside a dialog where the field is in one. */
function ChoiceList({ id, open, found, active, value, onActive, onChoose }: ChoiceListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Choices"
      tabIndex={-1}
      hidden={!open}
      className={cn(FLOATS, 'max-h-64 overflow-y-auto p-1.5')}
    >
      {found.map((option, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's; the focus stays there.
        <div
          key={option.value}
          id={optionId(id, at)}
          role="option"
          tabIndex={-1}
          aria-selected={option.value === value}
          className={cn('flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-2', at === active && 'bg-hover')}
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => onActive(at)}
          onClick={() => onChoose(option)}
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate">{option.label}</span>
            {option.detail !== undefined && <span className="block truncate text-xs text-muted">{option.detail}</span>}
          </span>
          {option.value === value && <Check className="size-4 shrink-0 text-accent" aria-hidden />}
        </div>
      ))}
    </div>
  );
}

/** Those that begin with what was typed come first. */
function findOptions(options: readonly Option[], typed: string): readonly Option[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return options.slice(0, MOST_SHOWN);
  const rank = ({ label, detail = '' }: Option) => {
    const at = label.toLowerCase().indexOf(wanted);
    if (at >= 0) return at === 0 ? 0 : 1;
    return detail.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return options
    .map((option) => ({ option, rank: rank(option) }))
    .filter((ranked) => ranked.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_SHOWN)
    .map(({ option }) => option);
}
