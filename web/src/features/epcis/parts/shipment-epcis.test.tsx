// @vitest-environment page
import type { EpcisPush } from '@isotherm/contract/epcis.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { find, isShown, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { PushList } from './push-log.tsx'
import { ShipmentEpcis } from './shipment-epcis.tsx'

afterEach(leave)
logInAs('admin')

const fine = { events: 7, bySteps: [], hiddenDevices: 0, usesGs1: true, faults: [], canPush: true }

/** The button that sends, and the reason that it gives for what it does not do. */
async function shown(change: object) {
  serve(({ path }) => ({ payload: path.includes('/pushes') ? [] : { ...fine, ...change } }))
  await show(<ShipmentEpcis shipmentId="7" />, { texts: ['epcis'] })
  const button = (await find('button', 'Send to the receiver')) as HTMLButtonElement
  const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '')
  return { isDisabled: button.disabled, reason: reason?.textContent ?? null }
}

describe('the button that sends the document', () => {
  test('sends one that is valid and whole', async () => {
    expect(await shown({})).toEqual({ isDisabled: false, reason: null })
  })

  test('says that only somebody who sees all devices can send it', async () => {
    const reason = 'Only somebody who sees all devices can send the document.'
    expect(await shown({ hiddenDevices: 2 })).toEqual({ isDisabled: true, reason })
  })

  test('says that faults keep it from being sent', async () => {
    const reason = 'The document can be sent once it has no faults.'
    expect(await shown({ faults: [{ path: '', fault: 'context' }] })).toEqual({ isDisabled: true, reason })
  })
})

test('a step has its name in the language of the person, beside the word that the receiver reads', async () => {
  await shown({ bySteps: [{ bizStep: 'staging_outbound', events: 2 }] })
  const steps = document.querySelector('dl[aria-label="Events by step"]')
  expect(steps?.textContent).toBe('Made ready to leave staging_outbound2')
})

test('why a push did not arrive is said in the language of the person, the answer of a receiver as it came', async () => {
  const push = (id: string, lastError: string) =>
    ({
      ...{ id, state: 'waiting', events: 2, url: 'https://x.test', attempts: 1, lastError, nextAt: null },
      ...{ createdAt: '2026-11-20T10:00:00Z', createdByName: 'Amina' },
    }) as unknown as EpcisPush
  const pushes = [push('1', 'no answer'), push('2', '400 Not valid: eventTime')]
  await show(<PushList pushes={pushes} onRetry={null} />, { texts: ['epcis'], locale: 'sw' })
  await find('li', 'hakuna jibu')
  expect([isShown('no answer'), isShown('400 Not valid: eventTime')]).toEqual([false, true])
})
