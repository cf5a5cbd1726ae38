import { createFileRoute } from '@tanstack/react-router';
import { StaffPage } from '../../staff/staff-page.tsx';

export const Route = createFileRoute('/operator/people')({ component: StaffPage });
