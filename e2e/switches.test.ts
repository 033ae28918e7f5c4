import { afterAll, beforeAll, expect, test } from 'vitest'
import { becomeAlike, type Charted, driveSwitches, openCharted, picturesOf } from './charted-pages.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let charted: Charted

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  charted = await openCharted(stage, 'admin@charts.test')
})
afterAll(() => stage?.close())

test.each([
  ['device', 1],
  ['group', 3],
] as const)(
  'after ten switches the chart of a %s is what a fresh load shows, to the pixel (UX1)',
  async (which, seed) => {
    const { names, isSame } = await driveSwitches(charted.context, charted.paths[which], seed)
    expect(isSame, names.join(', ')).toBe(true)
  },
)

test('a reading that arrives after switches is drawn as a fresh load draws it (UX1)', async () => {
  const used = await charted.context.newPage()
  const fresh = await charted.context.newPage()
  await used.goto(charted.paths.device)
  await used.getByRole('region', { name: /Chart from/ }).waitFor()
  for (const name of ['Battery', 'Humidity', 'Battery']) await used.getByRole('button', { name, exact: true }).click()
  await used.mouse.move(1, 1)
  await expect.poll(() => picturesOf(used)).not.toEqual([])
  const [before] = await picturesOf(used)
  await charted.send(11.3)
  await used.getByRole('region', { name: /highest 11\.3/ }).waitFor()
  await fresh.goto(used.url())
  await fresh.getByRole('region', { name: /highest 11\.3/ }).waitFor()
  expect(await becomeAlike(used, fresh)).toBe(true)
  expect((await picturesOf(used))[0]).not.toBe(before)
  await used.close()
  await fresh.close()
})

test('figures of a group follow the period; meanwhile the old ones are dimmed and said to be old (UX2)', async () => {
  const page = await charted.context.newPage()
  await page.goto(charted.paths.group)
  const figures = page.getByRole('region', { name: 'The group' })
  await figures.waitFor()
  const day = await figures.textContent()
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/v1/group/devices/**', async (route) => {
    await held
    await route.continue()
  })
  await page.locator('main label').getByText('30 days', { exact: true }).click()
  const old = page.locator('[aria-busy=true]').filter({ has: figures })
  await old.getByText('Updating… still the previous selection').waitFor()
  expect(await figures.textContent()).toBe(day)
  answer()
  await expect.poll(() => figures.textContent()).not.toBe(day)
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  await page.close()
})

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
