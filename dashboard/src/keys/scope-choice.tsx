import type { UseFormReturn } from 'react-hook-form';
import { FieldError } from '../components/field.tsx';
import { Checkbox } from '../components/inputs.tsx';
import type { KeyForm } from './key-form.ts';
import { PUBLIC_SCOPES, SCOPE_GROUPS, type Scope } from './scope-words.ts';

interface ScopeChoiceProps {
  form: UseFormReturn<KeyForm>;
  kind: 'SECRET' | 'PUBLIC';
  /** What the person may do in this mode: a key can do no more. */
  own: readonly Scope[];
}

/** What the key may do, in words; what the person may not do themselves is not offered. */
export function ScopeChoice({ form, kind, own }: ScopeChoiceProps) {
  const offered = (scope: Scope) => own.includes(scope) && (kind === 'SECRET' || PUBLIC_SCOPES.includes(scope));
  const error = form.formState.errors.scopes?.message;
  const groups = SCOPE_GROUPS.map(({ title, scopes }) => ({
    title,
    scopes: scopes.filter((row) => offered(row.scope)),
  }));

  return (
    <div className="flex flex-col gap-4 rounded-control border bg-sunken p-4">
      {groups
        .filter(({ scopes }) => scopes.length > 0)
        .map(({ title, scopes }) => (
          <fieldset key={title} className="grid gap-2 sm:grid-cols-2">
            <legend className="mb-1 text-xs font-semibold text-muted">{title}</legend>
            {scopes.map(({ scope, words }) => (
              <Checkbox
                key={scope}
                value={scope}
                label={<span className="font-mono text-xs">{scope}</span>}
                hint={words}
                {...form.register('scopes')}
              />
            ))}
          </fieldset>
        ))}
      {error !== undefined && <FieldError>{error}</FieldError>}
    </div>
  );
}
