import { createFileRoute } from '@tanstack/react-router';
import { StaffPage } from '../../operator/staff-page.tsx';

export const Route = createFileRoute('/operator/people')({ component: StaffPage });
