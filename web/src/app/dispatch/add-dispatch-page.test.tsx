// @vitest-environment happy-dom
import { dispatchSettings } from '@isotherm/contract/dispatch-settings.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keyOf, queryClient, refetchCalls } from '../../lib/query.ts'
import { eventually, field, leave, logInAs, serve, show, type } from '../../test/show.tsx'
import { AddDispatchPage } from './add-dispatch-page.tsx'

// It paints, which the DOM of the tests does not.
vi.mock('./stops-map.tsx', () => ({ StopsMap: () => null }))
// The DOM of the tests has no fonts, which a field that grows with its text listens to.
Object.assign(document, { fonts: new EventTarget() })
beforeEach(() => logInAs('admin'))
afterEach(leave)

test('what was typed stays while what the form began with cannot be loaded again', async () => {
  let isLost = false
  serve(({ path }) =>
    path === '/dispatch/settings' && !isLost
      ? { payload: { currencyInUse: 'NGN' } }
      : { status: 404, code: 'NOT_FOUND', message: 'Not found' },
  )
  await show(<AddDispatchPage />, { texts: ['orders'] })
  const reference = await field('Your reference')
  type(reference, 'PO 4711', { leave: false })
  isLost = true
  await refetchCalls(dispatchSettings.read)
  await eventually(() => expect(queryClient.getQueryState(keyOf(dispatchSettings.read))?.status).toBe('error'))
  // The page has had the time to show it.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect([reference.isConnected, reference.value]).toEqual([true, 'PO 4711'])
})
