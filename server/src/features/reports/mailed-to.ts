import type { Role } from '@isotherm/contract/permissions.ts'
import { sql } from 'kysely'
import { seesPrivate } from '../../platform/auth/visibility.ts'

/** Whom a mail of a run is for, as things stand now. */
export interface MailedTo {
  /** Of a person of the company; null of an address. */
  role: Role | null
  hasPrivate: boolean
  isRecipient: boolean
}

/** Of mail `m` of run `n`. */
export const mailedToSql = sql`n.has_private as "hasPrivate",
  (select u.role from users u where u.company_id = m.company_id and u.email = m.address and u.archived_at is null) as role,
  exists (select from report_recipients x left join users u on u.company_id = x.company_id and u.id = x.user_id
    where x.company_id = n.company_id and x.report_id = n.report_id and coalesce(u.email, x.address) = m.address
      and (x.user_id is null or u.archived_at is null)) as "isRecipient"`

/** Of the company's people those who may not see private devices get no files that tell of one. */
export const mayHaveFiles = ({ role, hasPrivate, isRecipient }: MailedTo): boolean =>
  isRecipient && !(hasPrivate && role !== null && !seesPrivate({ role }))
