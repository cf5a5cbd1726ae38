import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useBankOptions } from '../beneficiaries/bank-accounts.tsx';
import { cn } from '../components/class-names.ts';
import { Combobox } from '../components/combobox.tsx';
import type { Item, ItemField } from './item-fields.ts';

interface EditorProps {
  field: ItemField;
  /** What it is, for those who do not see the column: "Account number, row 7". */
  label: string;
  /** What it begins with. */
  text: string;
  complaint: string | undefined;
  /** Saves what was typed. `step`: where to go on, for Tab. */
  onSave: (text: string, step?: 1 | -1) => void;
  /** Somebody clicked elsewhere: what was typed is saved, and the focus stays where they went. */
  onLeave: (text: string) => void;
  onUndo: () => void;
}

export interface CellEditorProps extends Omit<EditorProps, 'onSave' | 'onLeave'> {
  item: Item;
  /** With the row as it was when the cell was opened: it may be read anew while somebody types. */
  onSave: (item: Item, text: string, step?: 1 | -1) => void;
  onLeave: (item: Item, text: string) => void;
}

/** A cell that is being typed into. Enter saves, Tab saves and goes on, Escape leaves everything as it was. */
export function CellEditor({ item, onSave, onLeave, ...props }: CellEditorProps) {
  const [opened] = useState(item);
  const Editor = props.field === 'bankCode' ? BankEditor : TextEditor;
  return (
    <Editor {...props} onSave={(text, step) => onSave(opened, text, step)} onLeave={(text) => onLeave(opened, text)} />
  );
}

function TextEditor({ field, label, text, complaint, onSave, onLeave, onUndo }: EditorProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useEffect(() => {
    input.current?.select();
  }, []);

  function finish(act: () => void): void {
    if (done.current) return;
    done.current = true;
    act();
  }
  function press(event: KeyboardEvent<HTMLInputElement>): void {
    const typed = event.currentTarget.value;
    event.stopPropagation();
    if (event.key === 'Enter') finish(() => onSave(typed));
    else if (event.key === 'Escape') finish(onUndo);
    else if (event.key === 'Tab') {
      event.preventDefault();
      finish(() => onSave(typed, event.shiftKey ? -1 : 1));
    }
  }

  return (
    <div className="relative">
      <input
        ref={input}
        // biome-ignore lint/a11y/noAutofocus: the cell was opened to type into it.
        autoFocus
        aria-label={label}
        aria-invalid={complaint !== undefined ? true : undefined}
        aria-describedby={complaint === undefined ? undefined : id}
        defaultValue={text}
        inputMode={field === 'narration' || field === 'accountName' ? 'text' : 'numeric'}
        autoComplete="off"
        spellCheck={false}
        className={cn('control min-h-9 px-2', field === 'amount' && 'text-right')}
        onKeyDown={press}
        onBlur={(event) => finish(() => onLeave(event.target.value))}
      />
      {complaint !== undefined && <Complaint id={id}>{complaint}</Complaint>}
    </div>
  );
}

function BankEditor({ label, text, complaint, onSave, onLeave, onUndo }: EditorProps) {
  const id = useId();
  const { options } = useBankOptions();
  const box = useRef<{ focus: () => void }>(null);
  const done = useRef(false);
  const chosen = useRef(text);
  const [value, setValue] = useState(text);
  useEffect(() => box.current?.focus(), []);

  function finish(act: () => void): void {
    if (done.current) return;
    done.current = true;
    act();
  }
  function press(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === 'Escape') finish(onUndo);
    else if (event.key === 'Enter') finish(() => onSave(chosen.current));
    else if (event.key === 'Tab') {
      event.preventDefault();
      finish(() => onSave(chosen.current, event.shiftKey ? -1 : 1));
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field inside.
    <div onKeyDown={press} className="relative min-w-60">
      <Combobox
        ref={box}
        label={label}
        options={options}
        value={value}
        takesOnTab
        aria-describedby={complaint === undefined ? undefined : id}
        aria-invalid={complaint !== undefined ? true : undefined}
        onChange={(code) => {
          chosen.current = code;
          setValue(code);
          // Chosen with the mouse it is saved at once; a key that chose it says itself where to go on.
          queueMicrotask(() => finish(() => onSave(code)));
        }}
        onBlur={() => finish(() => onLeave(chosen.current))}
        nothing="No bank has this name or code."
      />
      {complaint !== undefined && <Complaint id={id}>{complaint}</Complaint>}
    </div>
  );
}

function Complaint({ id, children }: { id: string; children: string }) {
  return (
    <p
      id={id}
      className="absolute top-full left-0 z-20 mt-1 w-max max-w-60 rounded-md border bg-raised px-2 py-1 text-2xs text-bad shadow-float"
    >
      {children}
    </p>
  );
}
