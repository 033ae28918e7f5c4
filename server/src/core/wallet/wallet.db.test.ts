import { expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import { reserveUnits, returnUnits, settleUnits } from '../../core/wallet/wallet-queries.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

const pipeline = describeIngest()

test('200 messages at once over 50 units: never below zero, each ends once however often it is told, nothing is lost', async () => {
  const companyId = await pipeline.company()
  await pipeline.change(companyId, `update wallets set balance = 50 where company_id = $1 and kind = 'sms'`, [
    companyId,
  ])
  const now = new Date()
  const message = (i: number) => ({ companyId, channel: 'sms', units: 1 + (i % 3), alarmId: null })
  const reserved = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      asPipeline(pipeline.pool, ({ client }) =>
        reserveUnits(client, message(i), [{ ...message(i), deliveryId: String(i + 1) }], now),
      ),
    ),
  )
  const paid = reserved.flatMap(({ unpaid }, i) => (unpaid.length === 0 ? [i] : []))
  const wallet = async () =>
    (
      await pipeline.rows<{ balance: number; reserved: number }>(
        `select balance, reserved from wallets where company_id = $1 and kind = 'sms'`,
        [companyId],
      )
    )[0]
  const units = (list: number[]) => list.reduce((sum, i) => sum + message(i).units, 0)
  expect(await wallet()).toEqual({ balance: 50, reserved: units(paid) })
  expect(units(paid)).toBe(50)
  // Every one is ended four times at once, by a settlement and a return in turns: the first counts.
  await Promise.all(
    paid.flatMap((i) =>
      [settleUnits, returnUnits, settleUnits, returnUnits].map((end) =>
        asPipeline(pipeline.pool, async ({ client }) => void (await end(client, message(i), String(i + 1), now))),
      ),
    ),
  )
  const ended = await pipeline.rows<{ kind: string; deliveryId: string }>(
    `select kind, delivery_id as "deliveryId" from wallet_entries where company_id = $1 and kind <> 'reserved'`,
    [companyId],
  )
  expect(ended).toHaveLength(paid.length)
  const spent = units(ended.flatMap(({ kind, deliveryId }) => (kind === 'settled' ? [Number(deliveryId) - 1] : [])))
  expect(await wallet()).toEqual({ balance: 50 - spent, reserved: 0 })
  // The running total is the sum of the entries.
  const totals = await pipeline.rows<{ spent: string; summed: string }>(
    `select w.spent, (select -sum(e.units) from wallet_entries e where e.wallet_id = w.id and e.company_id = w.company_id
       and e.kind = 'settled') as summed from wallets w where w.company_id = $1 and w.kind = 'sms'`,
    [companyId],
  )
  expect(totals.map((one) => [Number(one.spent), Number(one.summed)])).toEqual([[spent, spent]])
})
