import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Button } from '../components/button.tsx';
import { Checkbox } from '../components/choices.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import type { ViewList } from './filter-fields.ts';
import type { SavedView } from './view-filter.ts';

export interface ViewDialogProps {
  list: ViewList;
  /** What a new view holds. */
  kept: Pick<SavedView, 'filter' | 'columns'>;
  /** The one that is changed; a new one without it. */
  view: SavedView | undefined;
  onClose: () => void;
}

const CHANGES = { changes: ['/saved-view'] };

/** Saves what a list shows under a name, or changes the name of a view and who sees it. */
export function ViewDialog({ list, kept, view, onClose }: ViewDialogProps) {
  const add = useAction('post', '/saved-view', CHANGES);
  const change = useAction('patch', '/saved-view/{viewId}', CHANGES);
  const remove = useAction('delete', '/saved-view/{viewId}', CHANGES);
  const [asking, setAsking] = useState(false);
  const server = useServerForm({
    defaultValues: {
      name: view?.name ?? '',
      isDefault: view?.isDefault ?? false,
      isShared: view?.isShared ?? false,
    },
  });
  const { form } = server;
  return (
    <>
      <FormDialog
        title={view === undefined ? 'Save as a view' : 'Change the view'}
        description="A view holds the filters, the columns and the order of this list. It is yours."
        server={server}
        send={view === undefined ? 'Save the view' : 'Save'}
        onClose={onClose}
        onSend={async (values) => {
          if (view === undefined) await add.run({ body: { list, ...values, ...kept } });
          else await change.run({ path: { viewId: view.viewId }, body: values });
          toast({ tone: 'good', text: `“${values.name.trim()}” is saved.` });
          onClose();
        }}
      >
        <Field
          form={form}
          name="name"
          label="Name"
          rules={{ validate: (name) => name.trim() !== '' || 'Enter a name.' }}
        >
          {(control) => <Input {...control} maxLength={60} autoFocus autoComplete="off" />}
        </Field>
        <Checkbox label="Open this list with it" {...form.register('isDefault')} />
        <Checkbox
          label="Share it"
          hint="Everybody of the business sees it in this list; only you change it."
          {...form.register('isShared')}
        />
        {view !== undefined && (
          <Button icon={Trash2} look="quiet" className="self-start text-bad" onClick={() => setAsking(true)}>
            Delete the view
          </Button>
        )}
      </FormDialog>
      {view !== undefined && (
        <ConfirmDialog
          open={asking}
          onClose={() => setAsking(false)}
          title={`Delete “${view.name}”?`}
          confirm="Delete the view"
          danger
          onConfirm={async () => {
            await remove.run({ path: { viewId: view.viewId } });
            toast({ tone: 'good', text: `“${view.name}” is deleted.` });
            onClose();
          }}
        >
          <p>The list itself stays as it is.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
