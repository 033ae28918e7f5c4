import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foundCompany, logIn, password, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const imeis = ['490154203237518', '352099001761481', '356938035643809']
const admin = 'admin@bulk.test'
const staff = 'staff@bulk.test'

let stage: Stage
let page: Page
let key: string
let headers: Record<string, string>

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page()
  ;({ key } = await stockUp(stage, imeis))
  await foundCompany(stage, page.request, 'Bulk Ltd', admin)
  headers = await logIn(page, admin)
})
afterAll(() => stage?.close())

async function choose(name: string, csv: string) {
  const path = join(stage.dataDir, name)
  await writeFile(path, csv)
  await page.locator('input[type=file]').setInputFiles(path)
}
const rows = () => page.getByRole('table', { name: 'Rows of the file' }).getByRole('row')
const deviceCount = async () => {
  const answer = await page.request.get('/app/api/v1/devices', { headers })
  return ((await answer.json()) as { payload: { meta: { total: number } } }).payload.meta.total
}

test('the way from the list to the file, and its template', async () => {
  await page.goto('/devices/device-overview')
  await page.getByRole('link', { name: 'Set up from a file' }).click()
  await page.waitForURL('**/devices/setup-from-file')
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download a template' }).click()
  const template = await readFile(await (await waiting).path(), 'utf8')
  expect(template).toMatch(/^\ufeff?imei,licenceKey,name,tag,/)
})

test('a file that is none is refused in words, at its place', async () => {
  await choose('wrong.csv', 'imei,colour\n1,red\n')
  await page.getByRole('status').getByText('The column “colour” is not known.').waitFor()
  await page.getByRole('status').getByText('The file was not taken').waitFor()
})

test('a wrong row is shown first with its column, and nothing can be written', async () => {
  const csv = [
    'imei;licenceKey;name;tag;preset',
    `${imeis[0]};${key};Van 1;Lagos;refrigerated`,
    `${imeis[1]};${key};=cmd|calc;Lagos;`,
    `${imeis[0]};${key};Van 1 again;Lagos;`,
  ].join('\r\n')
  await choose('errors.csv', csv)
  await page.getByText('2 rows have errors').waitFor()
  await expect.poll(() => rows().nth(1).textContent()).toContain('formula')
  expect(await rows().nth(2).textContent()).toContain('This device is in row 2 already.')
  expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0)
  expect(await deviceCount()).toBe(0)
})

test('a good file says what it will do, does it at one click, and leads to the devices', async () => {
  const csv = `\ufeffimei,licenceKey,name,tag\n${imeis.map((imei, i) => `${imei},${key},"Van, ${i + 1}",Lagos`).join('\n')}\n`
  await choose('good.csv', csv)
  await page.getByText('No errors. Nothing has been written yet.').waitFor()
  expect(await deviceCount()).toBe(0)
  await page.getByRole('button', { name: 'Apply 3 rows' }).click()
  await page.getByText('3 devices set up or changed').waitFor()
  expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0)
  await page.getByRole('link', { name: 'To the devices' }).click()
  await page.getByRole('row', { name: /Van, 3/ }).waitFor()
})

test('the tags of known devices change by their IMEI alone', async () => {
  await page.goto('/devices/setup-from-file')
  await choose('tags.csv', `imei,tag\n${imeis[0]},Abuja\n${imeis[1]},Lagos\n`)
  await expect.poll(() => rows().nth(1).textContent()).toContain('Will change: tag')
  await page.getByText('Is so already').waitFor()
  await page.getByRole('button', { name: 'Apply 1 row' }).click()
  await page.getByText('1 device set up or changed').waitFor()
  await page.goto('/devices/device-overview?tag=Abuja')
  await page.getByRole('row', { name: /Van, 1/ }).waitFor()
})

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [390, 1366])
    test(`axe finds nothing serious, ${colorScheme}, ${width} px, and nothing is wider than the screen`, async () => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 844 })
      await page.goto('/devices/setup-from-file')
      await choose(
        'mixed.csv',
        `imei,tag,name\n${imeis[0]},Kano,\n${imeis[1]},,@x\n1234,,A rather long name for a device\n`,
      )
      await page.getByText('2 rows have errors').waitFor()
      const { violations } = await new AxeBuilder({ page }).analyze()
      const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      expect(bad.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      if (process.env.SHOTS)
        await page.screenshot({ path: join(process.env.SHOTS, `bulk-${width}-${colorScheme}.png`) })
    })

test('staff are neither offered the page nor let in', async () => {
  await page.request.post('/app/api/v1/users', {
    headers,
    data: { fullname: 'Sam Staff', email: staff, role: 'staff' },
  })
  const token = (await stage.mailedLink(staff, 'usersetup')).split('/').at(-1)
  const other = await stage.page()
  await other.request.post('/app/api/v1/users/setup', { data: { token, password } })
  await logIn(other, staff)
  await other.goto('/devices/device-overview')
  await other.getByRole('row', { name: /Van, 3/ }).waitFor()
  expect(await other.getByRole('link', { name: 'Set up from a file' }).count()).toBe(0)
  await other.goto('/devices/setup-from-file')
  await other.waitForURL((url) => !url.pathname.includes('setup-from-file'))
})

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
