// @vitest-environment page
import { dashboard } from '@isotherm/contract/dashboard.ts'
import { afterEach, expect, test } from 'vitest'
import { useCall } from '../../lib/query.ts'
import { closePage, eventually, find, leave, logInAs, serve, show } from '../../test/show.tsx'
import { ConnectionBanner } from './connection-banner.tsx'

function Figures() {
  return <p>{useCall(dashboard.figures, {}).data?.at ?? 'no figures'}</p>
}
afterEach(leave)

test('values of a former visit are told in turn, and no sentence without its time as they go', async () => {
  logInAs('admin')
  serve(() => ({ payload: { at: 'the first visit' } }))
  await show(<Figures />)
  await find('p', 'the first visit')
  window.dispatchEvent(new Event('pagehide'))
  closePage()
  const { promise, resolve } = Promise.withResolvers<{ payload: { at: string } }>()
  serve(() => promise)
  const screen = (
    <>
      <ConnectionBanner />
      <Figures />
    </>
  )
  await show(screen, { texts: ['shell'] })
  const banner = await find('[role=status]', 'Last known values')
  const whole = banner.textContent
  const said: (string | null)[] = []
  const observer = new MutationObserver(() => said.push(banner.textContent))
  observer.observe(banner, { childList: true, subtree: true, characterData: true })
  resolve({ payload: { at: 'the second visit' } })
  await eventually(() => expect(banner.isConnected).toBe(false))
  await find('p', 'the second visit')
  observer.disconnect()
  expect(said.filter((words) => words !== whole)).toEqual([])
})
