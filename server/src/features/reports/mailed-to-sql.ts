import { sql } from 'kysely'
import { tellsOfPrivateSql } from '../../core/devices/visible-devices.ts'
import { vouchesSql } from '../../core/visibility/visibility.ts'

/** The recipient of a run's mail, as things stand now. */
export interface MailedTo {
  /** Whether they may hear of private devices: Admins, and addresses that an Admin named who still is one. */
  hearsPrivate: boolean
  /** Whether the files tell of a device that is private now. */
  hasPrivate: boolean
  isRecipient: boolean
}

/** The address of mail `m` of run `n`. */
export const mailedToSql = sql`coalesce(${tellsOfPrivateSql('n')}, true) as "hasPrivate",
  coalesce((select u.role = 'admin' from users u where u.company_id = m.company_id and u.email = m.address and u.archived_at is null),
    exists (select from report_recipients x join users v on v.company_id = x.company_id and v.id = x.named_by
      where x.company_id = n.company_id and x.report_id = n.report_id and x.address = m.address
        and ${vouchesSql('v')})) as "hearsPrivate",
  exists (select from report_recipients x left join users u on u.company_id = x.company_id and u.id = x.user_id
    where x.company_id = n.company_id and x.report_id = n.report_id and coalesce(u.email, x.address) = m.address
      and (x.user_id is null or u.archived_at is null)) as "isRecipient"`

/** A recipient who may not hear of private devices gets no files about one. */
export const mayHaveFiles = ({ hearsPrivate, hasPrivate, isRecipient }: MailedTo): boolean =>
  isRecipient && (hearsPrivate || !hasPrivate)
