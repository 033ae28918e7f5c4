import { openReceiver, type Receiver } from '@isotherm/simulator/webhooks/receiver.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardSignature } from '../server/src/platform/messaging/standard-signature.ts'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let receiver: Receiver
let page: Page

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1', WEBHOOK_ALLOW_PRIVATE: '1' })
  receiver = await openReceiver()
  page = await stage.page({ viewport: { width: 1366, height: 900 } })
  await foundCompany(stage, page.request, 'Hooks Ltd', 'dev@hooks.test')
  await logIn(page, 'dev@hooks.test')
})
afterAll(async () => {
  await receiver?.close()
  await stage?.close()
})

const log = () => page.getByRole('list', { name: 'Messages' })
const rows = () => log().getByRole('listitem')

test('an endpoint is made, a test event arrives and verifies; it fails, is tried again, and is sent again by hand', async () => {
  await page.goto('/developers')
  await page.getByRole('heading', { name: 'No endpoint yet' }).waitFor()
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Address').fill(receiver.url.replace('//', '//ada:secret@'))
  await form.getByLabel('Excursions', { exact: true }).check()
  expect(await axeFaults(page)).toEqual([])
  await form.getByRole('button', { name: 'Add endpoint' }).click()
  await form.getByText('An address with a user name or a password in it is not used.').waitFor()
  await form.getByLabel('Address').fill(`${receiver.url}/hook`)
  await form.getByRole('button', { name: 'Add endpoint' }).click()
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'I have copied it' }).click()

  await page.getByText('Nothing was sent yet').waitFor()
  await page.getByRole('button', { name: 'Send test event' }).click()
  await rows().getByText('Delivered').waitFor()
  const { body = '', headers = {} } = receiver.received[0] ?? {}
  const stamp = Number(headers['webhook-timestamp'])
  expect(headers['webhook-signature']).toBe(standardSignature([secret], String(headers['webhook-id']), stamp, body))

  receiver.answer = ({ headers }) => ({ status: 503, body: `<img src=x onerror=alert(1)> ${headers['webhook-id']}` })
  await page.getByRole('button', { name: 'Send test event' }).click()
  await rows().first().getByText('Waiting').waitFor()
  await rows().first().getByRole('button').click()
  const detail = page.getByRole('region', { name: 'webhook.test' })
  await detail.getByText('<img src=x onerror=alert(1)>').first().waitFor()
  await detail.getByText('Attempt 2').waitFor()
  expect(await axeFaults(page)).toEqual([])
  const tried = receiver.received.slice(1).map(({ headers }) => headers['webhook-id'])
  expect(new Set(tried).size).toBe(1)

  receiver.answer = () => ({ status: 200, body: 'thanks' })
  await detail.getByRole('button', { name: 'Send again' }).click()
  await detail.getByText('Delivered').waitFor()
  await rows().first().getByText('sent again').waitFor()
  expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(tried[0])
  await page.getByLabel('Outcome').selectOption('Delivered')
  await expect.poll(() => rows().count()).toBe(2)
})
