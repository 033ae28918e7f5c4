import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { stockUp } from './devices-company.ts'
import { admin, authorization, loggedIn, teamMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'

const shots = process.env.SHOTS
const imei = '490154203237518'
let stage: Stage
let page: Page
let staff: Page

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = (await admin(stage)).page
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const headers = await authorization(page)
  const { key } = await stockUp(stage, [imei])
  const made = await page.request.post('/app/api/v1/devices/setup', {
    headers,
    data: { imei, licenceKey: key, name: 'Van 3', limits: { temperatureMinC: 2, temperatureMaxC: 8 } },
  })
  const { payload } = (await made.json()) as { payload: { id: string } }
  const changed = await page.request.patch(`/app/api/v1/devices/${payload.id}`, {
    headers,
    data: { name: '<img src=x onerror=alert(1)>', limits: { temperatureMinC: -20, temperatureMaxC: 8 } },
  })
  expect(changed.ok()).toBe(true)
  staff = await loggedIn(stage, await teamMember(stage, page, { fullname: 'Sam Staff', role: 'staff' }))
  expect((await staff.request.get('/app/api/v1/users', { headers: await authorization(staff) })).status()).toBe(403)
})
afterAll(() => stage?.close())

async function shoot(name: string) {
  if (!shots) return
  for (const [width, height] of [
    [1366, 900],
    [390, 844],
  ] as const)
    for (const scheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height })
      await page.evaluate((value) => document.documentElement.setAttribute('data-mantine-color-scheme', value), scheme)
      await page.screenshot({ path: join(shots, `${name}-${width}-${scheme}.png`) })
    }
  await page.evaluate(() => document.documentElement.setAttribute('data-mantine-color-scheme', 'light'))
  await page.setViewportSize({ width: 1366, height: 800 })
}

test('who did what reads in words, with before, after and from where', async () => {
  await page.goto('/logs')
  const changed = page.getByRole('row').filter({ hasText: 'Device changed' })
  await changed.getByText('Temperature, lowest: 2.0').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('logs')
  await changed.getByText('Device changed').click()
  const details = page.getByRole('dialog', { name: 'Device changed' })
  const fact = details.getByRole('row').filter({ hasText: 'Temperature, lowest' })
  await fact.getByText(/^2\.0\s°C$/).waitFor()
  await fact.getByText(/^−20\.0\s°C$/).waitFor()
  await details.getByText('Admin of Lagos Cold Stores').waitFor()
  await details.getByText('<img src=x onerror=alert(1)>').last().waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('logs-entry')
  await details.getByRole('button', { name: 'Close' }).click()
  await details.waitFor({ state: 'hidden' })
})

test('a refusal is there, found by search and area, and the filters are in the address', async () => {
  await page.getByRole('searchbox').fill('not permitted')
  await page.waitForURL('**/logs?search=not+permitted')
  const refused = page.getByRole('row').filter({ hasText: 'Refused: not permitted' })
  await refused.getByText('Permission needed: Users – View').waitFor()
  await refused.getByText('Sam Staff').waitFor()
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: /^Devices \d/ }).click()
  await page.getByRole('row').filter({ hasText: 'Device added' }).waitFor()
  await refused.waitFor({ state: 'hidden' })
  await page.getByLabel('First day').fill('2020-01-01')
  await page.getByLabel('Last day').fill('2020-01-31')
  await page.getByText('no results found').waitFor()
  expect(page.url()).toContain('from=2020-01-01')
  await page.getByRole('button', { name: /show all/i }).click()
  await refused.waitFor()
})

test('the filtered trail is exported as CSV', async () => {
  await page.goto('/logs')
  await page.getByRole('button', { name: /^Users \d/ }).click()
  await page.getByRole('row').filter({ hasText: 'Team member invited' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Device added' }).waitFor({ state: 'hidden' })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain('Team member invited')
  expect(text).not.toContain('Device added')
})

test('the trail is verified, its checkpoints are taken along and compared', async () => {
  await page.goto('/logs')
  await page.getByRole('button', { name: 'Verify the trail' }).click()
  const dialog = page.getByRole('dialog', { name: 'Verify the trail' })
  await dialog.getByText('The trail is unbroken').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Checkpoint file', exact: true }).click(),
  ])
  const path = await file.path()
  await dialog.getByLabel('Compare with a checkpoint file').setInputFiles(path)
  await dialog.getByText('were compared as well').waitFor()
  await dialog.getByText('signed up to entry').waitFor()
  await shoot('logs-verify')
  expect(await axeFaults(page)).toEqual([])
  const altered = JSON.parse(await readFile(path, 'utf8'))
  altered.checkpoints[0].seq += '0'
  await dialog
    .getByLabel('Compare with a checkpoint file')
    .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(altered)) })
  await page.getByText('This is no checkpoint file of this company, or it was changed.').first().waitFor()
  await dialog.getByRole('textbox', { name: 'Post checkpoints to' }).fill('https://127.0.0.1/hook')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('This address is in a private network: nothing is sent there.').waitFor()
})

test('a Staff member reads what they may, and neither exports nor verifies', async () => {
  await staff.goto('/logs')
  await staff.getByRole('row').filter({ hasText: 'Device changed' }).waitFor()
  expect(await staff.getByText('Team member invited').count()).toBe(0)
  expect(await staff.getByRole('button', { name: 'Verify the trail' }).count()).toBe(0)
  expect(await staff.getByRole('button', { name: 'Export CSV' }).count()).toBe(0)
})
