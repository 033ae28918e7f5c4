import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('..', import.meta.url))

/** Files that show an answer to the question before without saying so, and why they may. */
const exempt: Record<string, string> = {
  'app/excursions/excursions-page.tsx': 'excursion-list.tsx shows it',
  'app/export/shipment-form.tsx': 'choices for what is typed',
  'app/groups/devices-page.tsx': 'choices for what is typed; nothing can be added while they are old',
  'features/groups/pages/users-page.tsx': 'choices for what is typed; nothing can be added while they are old',
  'app/maps/use-fleet-map.ts': 'fleet-panel.tsx shows it',
  'app/records/group-records-page.tsx': 'record-list.tsx shows it',
  'features/records/pages/list-page.tsx': 'record-list.tsx shows it',
  'features/devices/use-chart.ts': 'hands out isOld; the charts show it',
  'features/alarms/parts/chart-marks.tsx': 'flags stand at their own instants',
  'features/alarms/parts/groups-field.tsx': 'choices for what is typed',
  'features/alarms/parts/assign-dialog.tsx': 'choices for what is typed',
  'features/alarms/parts/targets-field.tsx': 'choices for what is typed',
  'features/alarms/use-present-value.ts': 'the last two hours of one device, which move on',
  'features/devices/parts/bulk-dialogs.tsx': 'choices for what is typed',
  'features/drivers/parts/assign-dialog.tsx': 'choices for what is typed',
  'features/export-settings/parts/port-gln-rows.tsx': 'choices for what is typed',
  'features/excursions/parts/device-excursions.tsx': 'excursion-list.tsx shows it',
  'features/order-life/parts/crew-dialog.tsx': 'choices for what is typed',
  'features/orders/parts/carrier-fields.tsx': 'choices for what is typed',
  'features/orders/parts/party-fields.tsx': 'choices for what is typed',
  'features/orders/use-checked-order.ts': 'order-form.tsx shows it',
  'features/shipments/parts/device-fields.tsx': 'choices for what is typed',
  'shared/places/place-search.tsx': 'choices for what is typed',
  'shared/ports/ports-field.tsx': 'choices for what is typed',
  'features/records/parts/devices-field.tsx': 'choices for what is typed',
  'features/reports/parts/report-drawer.tsx': 'choices for what is typed',
  'features/wallet/parts/balance.tsx': 'the line names the period of its answer',
  'features/reports/parts/runs-drawer.tsx': 'the same list, only longer',
  'shared/device-select.tsx': 'choices for what is typed',
  'shared/use-team.ts': 'choices for what is typed',
  'shared/issued/recipients-field.tsx': 'choices for what is typed',
}

const using = (word: string) =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && file !== join('lib', 'query.ts'))
    .filter((file) => readFileSync(join(src, file), 'utf8').includes(word))

test('whatever keeps the answer before says so while the new one is under way (UX2, UX40)', () => {
  const shown = new Set([...using('<Renewing'), ...using('<ListView')])
  expect(using('keepPrevious: true').filter((file) => !shown.has(file) && !exempt[file])).toEqual([])
})

test('every chart is dimmed while it shows the period before (UX2)', () => {
  const shown = new Set(using('<Renewing'))
  // The preview's period never changes.
  expect(using('<LazyTimeChart').filter((file) => !shown.has(file))).toEqual(['app/alarms/alarm-preview.tsx'])
})
