import { expect, test } from 'vitest'
import { describeApp } from '../../../../test/describe-app.ts'
import { buildUser } from '../../../../test/factories.ts'
import { SentFile } from '../../../../test/form.ts'
import { aShipmentPlace } from '../../../../test/shipment-factory.ts'
import { shipmentSheet } from '../../../../test/shipment-sheet.ts'
import { trailOf } from '../../../../test/trail.ts'

const t = describeApp()

interface Warned {
  row: number
  column: string | null
  code: string
  message: string
}

async function scene() {
  const admin = await buildUser(t)
  const ends = {
    origin: await aShipmentPlace(t, admin),
    destination: await aShipmentPlace(t, admin, { kind: 'destination' }),
  }
  const upload = async (change: Record<number, Record<string, string>>, dryRun: boolean, prefix = 'PO') => {
    const file = shipmentSheet(ends, Object.keys(change).length, { change, prefix, from: t.clock.now().getTime() })
    const sent = await t.call('POST', '/export/shipments/bulk-upload', {
      token: admin.token,
      query: { dryRun: String(dryRun) },
      body: { file: new SentFile('season.csv', file) },
    })
    await t.runJobs()
    const { id } = sent.body.payload
    return (await t.call('GET', `/export/shipment-uploads/${id}`, { token: admin.token })).body.payload
  }
  return { admin, upload }
}
const told = (all: Warned[]) => all.map(({ row, column, code }) => [row, column, code])
/** So many days from now, as a file says it. */
const day = (after: number) => new Date(t.clock.now().getTime() + after * 86_400_000).toISOString().slice(0, 10)

test('rows with one container or waybill and one departure are told, and the shipment that has them already', async () => {
  const s = await scene()
  const air = { mode: 'air', fromPort: '', toPort: '', containerNo: '' }
  const first = { 0: { etd: `${day(5)} 18:00` }, 1: { etd: `${day(9)} 18:00` } }
  expect(await s.upload(first, false)).toMatchObject({ state: 'stored', warningCount: 0, warnings: [] })
  const change = {
    0: { etd: `${day(5)} 06:00`, containerNo: 'csqu 305438-3' },
    1: { etd: `${day(5)} 07:00` },
    2: { etd: `${day(20)} 07:00` },
    3: { containerNo: '', etd: `${day(5)} 07:00` },
    4: { etd: '' },
    5: { ...air, etd: `${day(5)} 18:00` },
  }
  const dry = await s.upload(change, true, 'Q')
  expect(dry, JSON.stringify(dry.errors)).toMatchObject({ state: 'ready', errors: [], warningCount: 5 })
  expect(told(dry.warnings)).toEqual([
    [2, 'containerNo', 'openCarriage'],
    [3, 'containerNo', 'sameCarriage'],
    [3, 'containerNo', 'openCarriage'],
    [6, 'containerNo', 'sameCarriageUndated'],
    [6, 'containerNo', 'openCarriageUndated'],
  ])
  expect(dry.warnings.filter(({ row }: Warned) => row !== 3).map(({ message }: Warned) => message)).toEqual([
    'Shipment S-000001 has the same number and departure. Is it the same shipment?',
    'Row 2 has the same number. At least one of the two departures is missing. Is it the same shipment?',
    'Shipment S-000001 has the same number. At least one of the two departures is missing. Is it the same shipment?',
  ])
  // A warning refuses nothing, and stays with what was added.
  const { warnings, ...added } = await s.upload(change, false, 'Q')
  expect(added).toMatchObject({ state: 'stored', first: 'S-000003', warningCount: 5 })
  expect(warnings).toEqual(dry.warnings)
  expect(
    (await trailOf(t, s.admin.companyId))
      .filter(({ action }) => action === 'shipments.uploaded')
      .map(({ after }) => after),
  ).toMatchObject([
    { from: 'S-000001', to: 'S-000002' },
    { from: 'S-000003', warnings: 5, warnedRows: [2, 3, 6] },
  ])
})

test('a row with the same departure is named before one whose departure is not known', async () => {
  const s = await scene()
  const change = { 0: { etd: '' }, 1: { etd: `${day(5)} 18:00` }, 2: { etd: `${day(5)} 06:00` } }
  const { warnings } = await s.upload(change, true)
  expect(warnings.map(({ row, message }: Warned) => [row, message])).toEqual([
    [3, 'Row 2 has the same number. At least one of the two departures is missing. Is it the same shipment?'],
    [4, 'Row 3 has the same number and departure. Is it the same shipment?'],
  ])
})

test('two rows without a reference that say the same in every column are refused', async () => {
  const s = await scene()
  const same = { reference: '', etd: `${day(5)} 18:00`, eta: `${day(25)} 06:00`, pallets: '4' }
  const wrong = await s.upload({ 0: same, 1: { ...same, pallets: '5' }, 2: same }, true)
  expect(wrong.state).toBe('refused')
  expect(told(wrong.errors)).toEqual([[4, null, 'sameRow']])
  expect(wrong.errors[0].message).toContain('Row 2 ')
  const right = await s.upload({ 0: same, 1: { ...same, pallets: '5' }, 2: { ...same, reference: 'A 1' } }, true)
  expect(right.state).toBe('ready')
  expect(told(right.warnings)).toEqual([
    [3, 'containerNo', 'sameCarriage'],
    [4, 'containerNo', 'sameCarriage'],
  ])
})

test('a waybill or house waybill that stands twice in a file is told, and the shipment that has it already, however it is written', async () => {
  const s = await scene()
  const leaves = `${day(5)} 18:00`
  const flown = { mode: 'air', fromPort: 'JNB', toPort: 'AMS', containerNo: '', etd: leaves, eta: `${day(6)} 06:00` }
  const first = { 0: { ...flown, awb: '020-12345675' }, 1: { ...flown, awb: '125-10000001', houseAwb: 'HAWB-77' } }
  const stored = await s.upload(first, false)
  expect(stored, JSON.stringify(stored.errors)).toMatchObject({ state: 'stored', warnings: [] })
  const dry = await s.upload(
    {
      0: { ...flown, awb: '020 1234 5675' },
      1: { ...flown, awb: '02012345675', houseAwb: 'H 1' },
      2: { ...flown, awb: '020-12345675', etd: `${day(9)} 18:00`, eta: `${day(10)} 06:00` },
      3: { ...flown, houseAwb: 'hawb 77' },
      4: { ...flown, houseAwb: 'h-1' },
    },
    true,
    'Q',
  )
  expect(dry, JSON.stringify(dry.errors)).toMatchObject({ state: 'ready', errors: [] })
  expect(told(dry.warnings)).toEqual([
    [2, 'awb', 'openCarriage'],
    [3, 'awb', 'sameCarriage'],
    [3, 'awb', 'openCarriage'],
    [5, 'houseAwb', 'openCarriage'],
    [6, 'houseAwb', 'sameCarriage'],
  ])
  const named = dry.warnings.map(({ message }: Warned) => /S-\d+|Row \d+/.exec(message)?.[0])
  expect(named).toEqual(['S-000001', 'Row 2', 'S-000001', 'S-000002', 'Row 3'])
})
