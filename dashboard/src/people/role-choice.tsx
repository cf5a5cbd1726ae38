import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { FieldError } from '../components/field.tsx';
import { ChoiceGroup, Radio } from '../components/inputs.tsx';
import { ROLE_NAMES, ROLE_PURPOSES, useGivableRoles } from './roles.ts';

interface RoleChoiceProps<T extends FieldValues> {
  form: UseFormReturn<T>;
  name: FieldPath<T>;
}

/** Which role, each with what it is for. */
export function RoleChoice<T extends FieldValues>({ form, name }: RoleChoiceProps<T>) {
  const roles = useGivableRoles();
  const error = form.getFieldState(name, form.formState).error?.message;
  return (
    <div className="flex flex-col gap-1.5">
      <ChoiceGroup legend="Role">
        {roles.map((role) => (
          <Radio
            key={role}
            value={role}
            label={ROLE_NAMES[role]}
            hint={ROLE_PURPOSES[role]}
            {...form.register(name, { required: 'Choose a role.' })}
          />
        ))}
      </ChoiceGroup>
      {error !== undefined && <FieldError>{error}</FieldError>}
    </div>
  );
}
