import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, loggedIn, teamMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

test('a view saved by one person brings search, filter and columns back for another', async () => {
  const { page } = await admin(stage)
  const email = await teamMember(stage, page, { fullname: 'Baraka', role: 'staff' })
  await page.goto('/devices/device-overview?search=van')
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.getByText('No view is saved for this list.').waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/views-none.png` })
  await page.getByRole('button', { name: 'Save this view…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('All vans')
  await page.getByRole('checkbox', { name: 'Show it to everybody in the company' }).check()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/views-save.png` })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('View “All vans” saved').waitFor()

  const other = await loggedIn(stage, email)
  await other.setViewportSize({ width: 390, height: 844 })
  await other.goto('/devices/device-overview')
  await other.getByRole('button', { name: 'Saved views' }).click()
  const view = other.getByRole('button', { name: /^All vans/ })
  await view.waitFor()
  if (process.env.SHOTS) await other.screenshot({ path: `${process.env.SHOTS}/views-phone.png` })
  await view.click()
  await other.waitForURL(/search=van/)
  await expect.poll(() => other.getByRole('searchbox').inputValue()).toBe('van')
  expect(stage.faults).toEqual([])
})
