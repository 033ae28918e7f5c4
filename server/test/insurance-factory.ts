import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { changeInsurance, type InsuranceRow, insertInsurance } from '../src/core/orders/insurance-queries.ts'
import { type InsurancePlanRow, insertInsurancePlan } from '../src/core/provider/insurance-plans.ts'
import { asLogin, inTenant } from '../src/platform/db/transaction.ts'
import { openFiles } from '../src/platform/files/files.ts'
import type { Stage } from './factories.ts'
import type { TestApp } from './harness.ts'
import { anOrder } from './order-factory.ts'

type Columns = Partial<Parameters<typeof insertInsurancePlan>[1]>

/** A plan of the operator's desk: a third of a percent of goods up to a million, where nothing else is said. */
export const anInsurancePlan = (test: Stage, more: Columns = {}): Promise<InsurancePlanRow> =>
  asLogin(test.pool, ({ tx }) =>
    insertInsurancePlan(tx, {
      ...{ name: 'Cold cargo', insurer: 'Leadway', currency: 'NGN', rate_bp: 33, max_worth: '100000000' },
      created_at: test.clock.now(),
      ...more,
    }),
  )

/** The smallest file that is taken for a PDF. */
export const pdfBytes = Buffer.from('%PDF-1.4\n%%EOF\n')

/** A certified insurance of a new order, with its certificate. */
export async function anInsurance(test: TestApp, { companyId }: { companyId: number }): Promise<InsuranceRow> {
  const [order, plan] = [await anOrder(test, { companyId }), await anInsurancePlan(test)]
  const file = await openFiles(test.services.config).begin('insurance-certificates', 'pdf')
  await writeFile(file.path, pdfBytes)
  await file.keep()
  const at = test.clock.now()
  return inTenant(test.pool, companyId, async ({ tx }) => {
    const row = await insertInsurance(
      { tx, companyId },
      {
        ...{ orderId: order.id, planId: plan.id, plan: { name: plan.name, insurer: plan.insurer } },
        ...{ worth: 50_000, premium: 165, currency: 'NGN', at },
      },
    )
    await changeInsurance({ tx, companyId }, row.id, {
      ...{ state: 'certified', policy_number: 'P-1', certified_worth: '50000', settled_at: at },
      ...{ valid_from: at, valid_to: new Date(at.getTime() + 7 * 86_400_000), certificate_key: file.key },
      certificate_sha256: createHash('sha256').update(pdfBytes).digest(),
    })
    return row
  })
}
