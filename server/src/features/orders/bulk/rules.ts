import { messagesOf } from '@isotherm/contract/errors.ts'
import { NewOrder } from '@isotherm/contract/new-order.ts'
import { plateKey } from '@isotherm/contract/vehicles.ts'
import type { BulkLine, BulkRules, ThingFault } from '../../../core/bulk/bulk-rules.ts'
import type { CarriedDevice as Carried } from '../../../core/bulk/readers.ts'
import { linesByReference } from '../../../core/bulk/together.ts'
import { Faults } from '../../../platform/errors/faults.ts'
import { draftOrder } from '../draft-order.ts'
import { deviceDrafts, orderColumns, receiverDrafts } from '../order-rows.ts'
import type { BulkOrderFacts, OrderAsk } from './bulk-facts.ts'
import { orderBulkColumns } from './columns.ts'
import { knownOf, small } from './known.ts'
import { readOrder } from './order-of.ts'
import { type StoredOrder, showOrder } from './show-order.ts'

const distinct = (lines: readonly BulkLine[], columns: readonly string[], of: (text: string) => string = small) => [
  ...new Set(
    lines.flatMap(({ values }) =>
      columns.flatMap((column) => (typeof values[column] === 'string' ? of(values[column]) : [])),
    ),
  ),
]

/** A row is an item for a receiver; rows with the same reference are one order. */
export const rules: BulkRules<OrderAsk, BulkOrderFacts, StoredOrder> = {
  columns: orderBulkColumns,
  together: linesByReference,
  show: showOrder,
  ask: (lines) => ({
    orders: linesByReference(lines).length,
    contacts: distinct(lines, ['sender', 'receiver']),
    drivers: distinct(lines, ['driver']),
    vehicles: distinct(lines, ['vehicle']),
    plates: distinct(lines, ['vehicle'], plateKey),
    imeis: [...new Set(lines.flatMap(({ values }) => ((values.devices ?? []) as Carried[]).map(({ imei }) => imei)))],
  }),
  check(facts) {
    const known = knownOf(facts)
    return (lines) => {
      const { body, placeOf, faults } = readOrder(known, lines)
      const all: ThingFault[] = [
        ...lines.flatMap((line) => line.faults.map((fault) => ({ line, ...fault }))),
        ...faults,
      ]
      const { data, error } = NewOrder.safeParse(body)
      if (error) {
        const ofFields = messagesOf(error).map(({ path, message }) => ({ ...placeOf(path), message }))
        return { faults: [...all, ...ofFields] }
      }
      const drafting = new Faults()
      const draft = draftOrder(known.order, data, drafting)
      all.push(...drafting.all.map(({ path, message }) => ({ ...placeOf(path), message })))
      for (const { path, error } of draft.refusals)
        all.push({ ...placeOf(path), message: { key: `codes.${error.code}`, values: error.values } })
      if (all.length > 0) return { faults: all }
      return {
        thing: {
          ...{ order: orderColumns(draft), receivers: receiverDrafts(draft), devices: deviceDrafts(draft) },
          warnings: draft.checked.warnings.map(({ code }) => code),
        },
      }
    }
  },
}
