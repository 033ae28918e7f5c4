// @vitest-environment page
import { afterEach, expect, test } from 'vitest'
import { eventually, field, leave, press, serve, show, type } from '../../../test/show.tsx'
import { SecondStep } from './second-step.tsx'

afterEach(leave)

const step = { token: 'token', methods: ['code', 'recoveryCode'] } as unknown as Parameters<
  typeof SecondStep
>[0]['step']

test('the code that is asked for is marked as needed, whichever of the two it is', async () => {
  serve(() => ({ payload: null }))
  await show(<SecondStep step={step} onEntered={() => undefined} onLeave={() => undefined} />, { texts: ['auth'] })
  const isMarked = (label: string) =>
    eventually(async () => expect((await field(label)).labels?.[0]?.hasAttribute('data-required')).toBe(true))
  await isMarked('Code of the app')
  type(await field('Code of the app'), '123')
  await press('Use a recovery code')
  await isMarked('Recovery code')
  await press('Use a code of the app')
  await isMarked('Code of the app')
  expect((await field('Code of the app')).value).toBe('')
})
