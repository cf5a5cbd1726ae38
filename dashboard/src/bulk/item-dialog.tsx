import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useBankOptions } from '../beneficiaries/bank-accounts.tsx';
import { Button } from '../components/button.tsx';
import { Combobox } from '../components/combobox.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ITEM_FIELDS, type Item, type ItemField, problemsOf, textOf } from './item-fields.ts';
import type { Draft, ItemEdits } from './use-item-edits.ts';
import type { ItemRemoval } from './use-item-removal.ts';

export interface ItemDialogProps {
  item: Item;
  edits: ItemEdits;
  removal: ItemRemoval;
  onClose: () => void;
}

/** One row with all its fields: how a row is edited where there is no room for a table. */
export function ItemDialog({ item, edits, removal, onClose }: ItemDialogProps) {
  const { options } = useBankOptions();
  const before = (field: ItemField) => edits.drafts[item.id]?.[field]?.text ?? textOf(item, field);
  const [texts, setTexts] = useState(
    () => Object.fromEntries(ITEM_FIELDS.map(({ field }) => [field, before(field)])) as Record<ItemField, string>,
  );
  const problems = problemsOf(item);
  const set = (field: ItemField, text: string) => setTexts((all) => ({ ...all, [field]: text }));
  function undo(field: ItemField): void {
    edits.undo(item, field);
    set(field, textOf(item, field));
  }
  function save(): void {
    // What was not taken is sent once more.
    const isAgain = (field: ItemField) => edits.drafts[item.id]?.[field]?.state === 'REFUSED';
    const changes = ITEM_FIELDS.filter(({ field }) => isAgain(field) || texts[field] !== before(field)).map(
      ({ field }) => ({ item, field, text: texts[field] }),
    );
    if (changes.length > 0) edits.save(changes);
    onClose();
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Row ${item.position}`}
      actions={
        <>
          <Button
            onClick={() => {
              removal.remove(item);
              onClose();
            }}
          >
            Remove
          </Button>
          <Button look="primary" onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {ITEM_FIELDS.map(({ field, header }) => (
          <div key={field}>
            <p className="mb-1 text-xs font-medium">{header}</p>
            {field === 'bankCode' ? (
              <Combobox
                label={header}
                options={options}
                value={texts.bankCode}
                onChange={(code) => set(field, code)}
                nothing="No bank has this name or code."
              />
            ) : (
              <input
                aria-label={header}
                className="control"
                inputMode={field === 'narration' || field === 'accountName' ? 'text' : 'decimal'}
                value={texts[field]}
                onChange={(event) => set(field, event.target.value)}
              />
            )}
            <Complaint
              draft={edits.drafts[item.id]?.[field]}
              problem={problems[field]?.sentence}
              undo={`Undo ${header.toLowerCase()}`}
              onUndo={() => undo(field)}
            />
          </div>
        ))}
      </div>
    </Dialog>
  );
}

interface ComplaintProps {
  draft: Draft | undefined;
  problem: string | undefined;
  /** What the button is read out as. */
  undo: string;
  onUndo: () => void;
}

/** Why what was typed was not taken, with the way back to what the list holds; else what is wrong with that. */
function Complaint({ draft, problem, undo, onUndo }: ComplaintProps) {
  if (draft?.state === 'REFUSED') {
    return (
      <div className="mt-1 flex items-start justify-between gap-3">
        <p className="text-xs text-bad">{draft.problem}</p>
        <Button size="small" icon={Undo2} aria-label={undo} onClick={onUndo}>
          Undo
        </Button>
      </div>
    );
  }
  return problem === undefined ? null : <p className="mt-1 text-xs text-bad">{problem}</p>;
}
