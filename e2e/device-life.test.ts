import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foundCompany, logIn, measure, stockUp, taken } from './devices-company.ts'
import { loggedIn, teamMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'

const [old, fresh, other] = ['490154203237518', '356938035643809', '353879234252633'] as const
const admin = 'admin@life.test'
const api = '/app/api/v1'

let stage: Stage
let page: Page
let key: string
let secrets: Map<string, string>
let codes: Map<string, string>
let headers: Record<string, string>
let deviceId: string

const post = async (path: string, data: object) => {
  const answer = await page.request.post(`${api}${path}`, { headers, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()).payload
}
const send = (imei: string, body: Record<string, unknown>) => measure(page, imei, secrets.get(imei) ?? '', body)
/** The device reports, and carries out what it is told. */
async function obey(imei: string) {
  const { payload } = await send(imei, { temperatureC: 4.2 })
  const at = new Date().toISOString()
  const acks = payload.commands.map(({ commandId }: { commandId: string }) => ({ commandId, at, ok: true }))
  const authorization = `Bearer ${secrets.get(imei)}`
  await taken(page.request.post(`${api}/ingest/${imei}`, { headers: { authorization }, data: { acks } }))
}
const section = (name: string) => page.getByRole('region', { name, exact: true })
const dialog = () => page.getByRole('dialog')

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1', CLAIM_CODES: 'on' })
  page = await stage.page()
  ;({ key, codes, secrets } = await stockUp(stage, [old, fresh, other]))
  await foundCompany(stage, page.request, 'Life Ltd', admin)
  headers = await logIn(page, admin)
  const device = { licenceKey: key, name: 'Reefer 7', limits: { preset: 'refrigerated' } }
  deviceId = (await post('/devices/setup', { ...device, imei: old, claimCode: codes.get(old) })).id
  await post('/devices/setup', { ...device, imei: other, claimCode: codes.get(other), name: 'Fridge 1' })
  await obey(old)
})
afterAll(() => stage?.close())

test('a swap onto hardware in use is refused, and what was typed stays', async () => {
  await page.goto(`/devices/${deviceId}/settings`)
  await section('Hardware').getByText(old).waitFor()
  await section('Hardware').getByRole('button', { name: 'Swap hardware' }).click()
  await dialog().getByText('Swap the hardware of Reefer 7').waitFor()
  await dialog().getByLabel('IMEI of the new hardware').fill(other)
  await dialog()
    .getByLabel('Code on the label')
    .fill(codes.get(other) ?? '')
  await dialog().getByRole('button', { name: 'Swap', exact: true }).click()
  await dialog().getByText('This IMEI and code cannot be claimed.').waitFor()
  expect(await dialog().getByLabel('IMEI of the new hardware').inputValue()).toBe(other)
  await dialog().getByLabel('IMEI of the new hardware').fill(old)
  await dialog().getByRole('button', { name: 'Swap', exact: true }).click()
  await dialog().getByText('The device has this hardware already.').waitFor()
})

test('onto free hardware the device goes on: both IMEIs by date, one history', async () => {
  await dialog().getByLabel('IMEI of the new hardware').fill('35-693803-564380-9')
  await dialog()
    .getByLabel('Code on the label')
    .fill(codes.get(fresh) ?? '')
  await dialog().getByRole('button', { name: 'Swap', exact: true }).click()
  await page.getByText('Hardware swapped').waitFor()
  const rows = section('Hardware').getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await rows.allTextContents()).toEqual([
    expect.stringMatching(`^${fresh}since `),
    expect.stringMatching(new RegExp(`^${old}.* – `)),
  ])
  await send(fresh, { temperatureC: 5.5 })
  await page.goto(`/devices/${deviceId}/details`)
  const table = page.getByRole('table', { name: 'Readings' })
  await table.getByText('5.5').waitFor()
  await table.getByText('4.2').waitFor()
  // So does its report: whose readings these are.
  await page.goto(`/devices/report/${deviceId}`)
  await page.getByText(new RegExp(`^${old}, .+ to `)).waitFor()
  await page.getByText(new RegExp(`^${fresh}, since `)).waitFor()
  await table.getByText('4.2').waitFor()
})

test('flight mode asks, waits for the device, and then is its state', async () => {
  await page.goto(`/devices/${deviceId}/settings`)
  await section('Flight mode').getByRole('button', { name: 'Turn on now' }).click()
  await dialog().getByText('Turn flight mode of Reefer 7 on?').waitFor()
  await dialog().getByRole('button', { name: 'Turn on now' }).click()
  await page.getByText('Flight Mode on', { exact: true }).waitFor()
  await page.getByText(/Waiting for the device.*flight mode on/).waitFor()
  await obey(fresh)
  await expect.poll(() => page.getByText(/Waiting for the device.*flight mode on/).count()).toBe(0)
  await page.goto('/devices/device-overview')
  await page
    .getByRole('row', { name: /Reefer 7/ })
    .getByText('Flight mode')
    .waitFor()
  await page.goto(`/devices/${deviceId}/settings`)
  await section('Flight mode')
    .getByText(/^On since/)
    .waitFor()
  await section('Flight mode').getByRole('button', { name: 'Turn off' }).click()
  await dialog().getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Flight Mode off', { exact: true }).waitFor()
})

test('by flight: nonsense is named at its field; a good flight awaits its departure', async () => {
  await section('Flight mode').getByRole('button', { name: 'Schedule by flight' }).click()
  await dialog().getByLabel('Carrier').fill('12')
  await dialog().getByLabel('Flight number').fill('ET904')
  await dialog()
    .getByLabel(/^Departure/)
    .fill('2020-01-01T10:00')
  await dialog().getByRole('button', { name: 'Schedule' }).click()
  await dialog().getByText('A carrier code has two signs').waitFor()
  await dialog().getByText('A flight number has one to four digits').waitFor()
  await dialog().getByLabel('Carrier').fill('et')
  await dialog().getByLabel('Flight number').fill('904')
  await dialog().getByRole('button', { name: 'Schedule' }).click()
  await dialog().getByText('The departure must be in the future.').waitFor()
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await dialog()
    .getByLabel(/^Departure/)
    .fill(`${tomorrow}T10:00`)
  await dialog().getByRole('button', { name: 'Schedule' }).click()
  await section('Flight mode')
    .getByText(/^Awaiting start: flight ET 904/)
    .waitFor()
})

test('a licence key is checked as it is typed, and adds its time', async () => {
  const { key: more } = await stockUp(stage, ['357805023984942'])
  await section('Licence').getByRole('button', { name: 'Add a licence' }).click()
  await dialog().getByLabel('Licence key').fill(more)
  await dialog().getByText('This key is good.').waitFor()
  await dialog().getByRole('button', { name: 'Add licence' }).click()
  await page.getByText(/^Licence added: it runs until/).waitFor()
  await expect.poll(() => section('Licence').getByRole('listitem').count()).toBe(2)
})

test('a session is made by hand, opened, and ended', async () => {
  await page.goto('/devices')
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.waitForURL('**/devices/device-sessions')
  await page.getByRole('button', { name: 'Make a session' }).first().click()
  // The dialog takes the focus as it opens, which would close a list opened before.
  await dialog().locator(':focus').waitFor()
  await dialog().getByRole('combobox', { name: 'Device' }).fill('Reef')
  await page.getByRole('option', { name: 'Reefer 7' }).click()
  await dialog().getByLabel('Name').fill('Lot 12')
  // Lagos is an hour ahead: what its clocks showed at this UTC time was an hour ago.
  await dialog()
    .getByLabel(/^Start/)
    .fill(new Date().toISOString().slice(0, 16))
  await dialog().getByRole('button', { name: 'Make session' }).click()
  await page.getByText('Session made').waitFor()
  await page.getByRole('row', { name: /Lot 12/ }).click()
  await page.waitForURL('**/device-session/*/history')
  await page.getByRole('region', { name: /Chart from/ }).waitFor()
  await page.getByRole('table', { name: 'Readings' }).getByText('5.5').waitFor()
  await page.getByRole('button', { name: 'End session' }).click()
  await dialog().getByRole('button', { name: 'End session' }).click()
  await page.getByText('Session ended').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'End session' }).count()).toBe(0)
})

test('going out of use names what goes with it; the device is listed, its history read, and it is restored', async () => {
  await page.goto(`/devices/${deviceId}/settings`)
  await section('Take out of use').getByRole('button').click()
  await dialog().getByText('Take Reefer 7 out of use?').waitFor()
  await dialog()
    .getByText(new RegExp(`Its hardware ${fresh} and its licence become free`))
    .waitFor()
  await dialog().getByRole('button', { name: 'Take out of use' }).click()
  await page.getByText('Device taken out of use').waitFor()
  await page.goto('/settings/profile')
  await page.getByRole('link', { name: 'Decommissioned devices' }).click()
  await page.getByRole('row', { name: /Reefer 7/ }).click()
  await page.waitForURL(/details\?from=/)
  await page.getByRole('table', { name: 'Readings' }).getByText('5.5').waitFor()
  await page.goto('/settings/decommissioned-devices')
  await page.getByRole('button', { name: 'Actions for Reefer 7' }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  expect(await dialog().getByLabel('Hardware (IMEI)').inputValue()).toBe(fresh)
  await dialog().getByRole('button', { name: 'Restore' }).click()
  await page.getByText('Device in use again').waitFor()
  await page.getByText('No device is out of use').waitFor()
})

test('Staff see how things stand, and no button that would be refused', async () => {
  const theirs = await loggedIn(stage, await teamMember(stage, page, { fullname: 'Sam Staff', role: 'staff' }))
  await theirs.goto(`/devices/${deviceId}/settings`)
  await theirs.getByRole('region', { name: 'Hardware', exact: true }).getByText(fresh).first().waitFor()
  for (const name of ['Swap hardware', 'Turn on now', 'Add a licence', 'Turn off', 'Take out of use'])
    expect(await theirs.getByRole('button', { name }).count(), name).toBe(0)
  await theirs.goto('/devices/device-sessions')
  await theirs.getByRole('row', { name: /Lot 12/ }).waitFor()
  expect(await theirs.getByRole('button', { name: 'Make a session' }).count()).toBe(0)
})

test('nothing went wrong behind the scenes', () => {
  expect(stage.faults).toEqual([])
})
