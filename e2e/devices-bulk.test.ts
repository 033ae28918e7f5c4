import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, stockUp, taken } from './devices-company.ts'
import { loggedIn, teamMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'

const imeis = ['490154203237518', '352099001761481', '356938035643809']
const admin = 'admin@bulk.test'

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
  expect(template).toMatch(/^\ufeff?imei,claimCode,licenceKey,name,tag,/)
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

const box = (on: Page, name: string) => on.getByRole('checkbox', { name: `Select ${name}` })
const bar = () => page.getByRole('toolbar', { name: 'Actions for the selection' })
const bulk = (name: string) => bar().getByRole('button', { name, exact: true }).click()
async function select(...names: string[]) {
  for (const name of names) await box(page, name).check()
  await bar().getByText(`${names.length} selected`).waitFor()
}
async function idOf(name: string) {
  const answer = await page.request.get('/app/api/v1/devices', { headers })
  const { payload } = (await answer.json()) as { payload: { data: { id: string; name: string }[] } }
  return payload.data.find((device) => device.name === name)?.id
}
/** The ids of devices changed from now on, as they are sent. */
function changesSent() {
  const sent: string[] = []
  page.on('request', (request) => {
    const id = /\/devices\/(\d+)$/.exec(request.url())?.[1]
    if (request.method() === 'PATCH' && id) sent.push(id)
  })
  return sent
}

test('two of three devices get a tag, by one double click and one request each', async () => {
  await page.goto('/devices/device-overview')
  await select('Van, 1', 'Van, 3')
  await bulk('Set tag')
  const dialog = page.getByRole('dialog', { name: 'Tag of 2 devices' })
  await dialog.getByRole('button', { name: 'Remove tag' }).waitFor()
  await dialog.getByLabel('Tag', { exact: true }).fill('Ibadan')
  const sent = changesSent()
  await dialog.getByRole('button', { name: 'Set tag' }).dblclick({ noWaitAfter: true })
  await page.getByText('2 devices changed').waitFor()
  await expect.poll(() => bar().count()).toBe(0)
  for (const name of ['Van, 1', 'Van, 3'])
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByText('Ibadan')
      .waitFor()
  expect(await page.getByRole('row', { name: /Van, 2/ }).textContent()).toContain('Lagos')
  expect(new Set(sent).size).toBe(2)
  expect(sent).toHaveLength(2)
})

test('both are paused after one question', async () => {
  await select('Van, 1', 'Van, 3')
  await bulk('Pause transmission')
  const question = page.getByRole('dialog', { name: 'Pause transmission of 2 devices?' })
  await question.getByRole('button', { name: 'Pause transmission' }).click()
  await expect.poll(() => bar().count()).toBe(0)
  const answer = await page.request.get('/app/api/v1/devices', { headers })
  const { payload } = (await answer.json()) as { payload: { data: { name: string; waiting: { value: unknown }[] }[] } }
  const asked = payload.data.map(({ name, waiting }) => [name, waiting.map(({ value }) => value)])
  expect(asked).toEqual([
    ['Van, 1', [{ state: 'paused' }]],
    ['Van, 2', []],
    ['Van, 3', [{ state: 'paused' }]],
  ])
})

test('what the server refuses is named with its reason and stays selected', async () => {
  await select('Van, 1', 'Van, 2')
  const url = `**/app/api/v1/devices/${await idOf('Van, 2')}`
  const body = JSON.stringify({ success: false, code: 'NOT_FOUND', message: 'It is gone.' })
  await page.route(url, (route) => route.fulfill({ status: 404, contentType: 'application/json', body }))
  try {
    await bulk('Set tag')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove tag' }).click()
    await page.getByText('1 changed, 1 failed: Van, 2: It is gone.').waitFor()
  } finally {
    await page.unroute(url)
  }
  await bar().getByText('1 selected').waitFor()
  expect(await box(page, 'Van, 2').isChecked()).toBe(true)
  expect(await box(page, 'Van, 1').isChecked()).toBe(false)
  await bulk('Clear selection')
})

test('two go into a group, the one that is in it already is said', async () => {
  const name = `Night vans ${Date.now()}`
  await taken(page.request.post('/app/api/v1/groups', { headers, data: { name } }))
  await page.goto('/devices/device-overview')
  await select('Van, 1', 'Van, 3')
  for (const [third, said] of [
    [false, `2 devices added to ${name}`],
    [true, `Added to ${name}: 1. In it already: 2.`],
  ] as const) {
    if (third) await select('Van, 1', 'Van, 2', 'Van, 3')
    await bulk('Add to group')
    const dialog = page.getByRole('dialog', { name: /to a group/ })
    await dialog.locator(':focus').waitFor()
    // The choices, which open with the dialog, lie over the button.
    await page.keyboard.press('Control+Enter')
    await dialog.locator('input[aria-invalid=true]').waitFor()
    await dialog.getByPlaceholder('Find a group').fill('Night')
    await page.getByRole('option', { name }).click()
    await dialog.getByRole('button', { name: 'Add to group' }).click()
    await page.getByText(said).waitFor()
    await expect.poll(() => bar().count()).toBe(0)
  }
})

test('two are compared on one chart, which names the line that is pointed at', async () => {
  await page.goto('/devices/device-overview')
  await select('Van, 1', 'Van, 2')
  await bulk('Compare')
  await page.waitForURL('**/compare?devices=*')
  const legend = page.getByRole('list', { name: 'Devices compared' })
  await legend.getByRole('link', { name: 'Van, 2' }).waitFor()
  await page.getByRole('region', { name: /Chart from/ }).waitFor()
  await legend.getByRole('button', { name: 'Take Van, 2 off the chart' }).click()
  await page.getByText('Add another device to compare it with.').waitFor()
  await page.goto('/compare?devices=999999999')
  await page.getByText('1 device is not there any more, or you may not see it.').waitFor()
})

for (const width of [390, 1366])
  test(`the bar at ${width} px: nothing serious for axe, nothing too wide, the navigation stays free`, async () => {
    const phone = width === 390
    const small = phone ? await stage.page({ viewport: { width, height: 844 }, hasTouch: true, isMobile: true }) : page
    try {
      if (phone) await logIn(small, admin)
      await small.goto('/devices/device-overview')
      for (const name of ['Van, 1', 'Van, 2']) await box(small, name).check()
      const toolbar = small.getByRole('toolbar', { name: 'Actions for the selection' })
      await toolbar.getByText('2 selected').waitFor()
      if (phone) {
        for (const button of await toolbar.getByRole('button').all())
          expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
        await toolbar.getByRole('button', { name: 'Change' }).click()
        await small.getByRole('menuitem', { name: 'Start transmission' }).waitFor()
      }
      expect(await axeFaults(small)).toEqual([])
      expect(await small.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      if (process.env.SHOTS) await small.screenshot({ path: join(process.env.SHOTS, `selected-${width}.png`) })
      if (phone) await small.keyboard.press('Escape')
      if (phone) await small.getByRole('navigation').last().getByRole('link').first().click({ trial: true })
    } finally {
      if (phone) await small.context().close()
    }
  })

test.each([
  ['light', 1366],
  ['dark', 390],
] as const)(
  'axe finds nothing serious, %s, %i px, and nothing is wider than the screen',
  async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/devices/setup-from-file')
    await choose(
      'mixed.csv',
      `imei,tag,name\n${imeis[0]},Kano,\n${imeis[1]},,@x\n1234,,A rather long name for a device\n`,
    )
    await page.getByText('2 rows have errors').waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `bulk-${width}-${colorScheme}.png`) })
  },
)

test('staff are neither offered the page nor let in', async () => {
  const other = await loggedIn(stage, await teamMember(stage, page, { fullname: 'Sam Staff', role: 'staff' }))
  await other.goto('/devices/device-overview')
  await other.getByRole('row', { name: /Van, 3/ }).waitFor()
  expect(await other.getByRole('link', { name: 'Set up from a file' }).count()).toBe(0)
  // They may compare devices, and change none.
  for (const name of ['Van, 1', 'Van, 3']) await box(other, name).check()
  const toolbar = other.getByRole('toolbar', { name: 'Actions for the selection' })
  await toolbar.getByRole('button', { name: 'Compare' }).waitFor()
  expect(await toolbar.getByRole('button', { name: 'Set tag' }).count()).toBe(0)
  await other.goto('/devices/setup-from-file')
  await other.waitForURL((url) => !url.pathname.includes('setup-from-file'))
})

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
