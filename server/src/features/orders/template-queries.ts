import type { Selectable } from 'kysely'
import type { Context, TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { OrderTemplates } from '../../platform/db/schema.ts'

export type TemplateRow = Selectable<OrderTemplates>

export const allTemplates = ({ tx, companyId }: TenantTx): Promise<TemplateRow[]> =>
  allRows<TemplateRow>(tx)`
    select * from order_templates where company_id = ${companyId} order by lower(name), id`

/** Nothing where another one has the name. */
export const insertTemplate = (
  { tx, companyId, clock, person }: Context,
  { name, currency, body }: { name: string; currency: string | null; body: object },
): Promise<TemplateRow | undefined> =>
  firstRow<TemplateRow>(tx)`
    insert into order_templates (company_id, name, currency, body, created_at, created_by_name)
    values (${companyId}, ${name}, ${currency}::text, ${JSON.stringify(body)}::jsonb, ${clock.now()}, ${person.fullname})
    on conflict (company_id, lower(name)) do nothing returning *`

export const deleteTemplate = ({ tx, companyId }: TenantTx, id: string): Promise<TemplateRow | undefined> =>
  firstRow<TemplateRow>(tx)`
    delete from order_templates where company_id = ${companyId} and id = ${id}::int8 returning *`
