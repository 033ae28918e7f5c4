// @vitest-environment page
import { dashboard } from '@isotherm/contract/dashboard.ts'
import { users } from '@isotherm/contract/users.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closePage, eventually, find, isShown, leave, logInAs, serve, show } from '../test/show.tsx'
import { lastKnownTime } from './last-known.ts'
import { startSession } from './profile.ts'
import { useCall } from './query.ts'
import { getSession, logOut } from './session.ts'
import { sessionKey } from './tab-storage.ts'

function Figures({ enabled = true }: { enabled?: boolean }) {
  const { data, error } = useCall(dashboard.figures, {}, { enabled })
  return (
    <p>
      {data ? `at ${data.at}` : 'no figures'} {error?.code}
    </p>
  )
}
function People() {
  return <p>{useCall(users.list, { query: {} }).data ? 'people' : 'nobody'}</p>
}

const never = () => new Promise<never>(() => undefined)
const figures = (at: string) => serve(() => ({ payload: { at } }))
/** A server that does not answer. */
const silence = () => vi.stubGlobal('fetch', never)

/** A visit to the figures, until the browser has kept them. */
async function visit(at: string) {
  figures(at)
  await show(<Figures />)
  await find('p', `at ${at}`)
  window.dispatchEvent(new Event('pagehide'))
  closePage()
}

beforeEach(() => logInAs('admin'))
afterEach(() => {
  leave()
  localStorage.clear()
})

test('the values of the visit before are shown, and known as old, until the server has answered', async () => {
  await visit('one')
  silence()
  await show(<Figures />)
  await find('p', 'at one')
  expect(lastKnownTime()).not.toBeNull()
  closePage()
  expect(lastKnownTime()).toBeNull()
  figures('two')
  await show(<Figures />)
  await find('p', 'at two')
  expect(lastKnownTime()).toBeNull()
})

test('what waits to be kept is not, once another tab has logged in as somebody else', async () => {
  figures('one')
  await show(<Figures />)
  await find('p', 'at one')
  const kept = () => Object.keys(localStorage).filter((key) => key.startsWith('isotherm.known.'))
  window.dispatchEvent(new StorageEvent('storage', { key: 'isotherm.other' }))
  window.dispatchEvent(new StorageEvent('storage', { key: sessionKey }))
  window.dispatchEvent(new Event('pagehide'))
  expect(kept()).toEqual([])
})

test('who comes in where somebody else is logged in gets nothing of theirs, and ends their session', async () => {
  await visit('one')
  const { token } = getSession()
  const asked: [unknown, unknown][] = []
  vi.stubGlobal('fetch', (url: unknown, { headers }: RequestInit) => {
    asked.push([url, new Headers(headers).get('authorization')])
    return never()
  })
  const answer = { tokens: { accessToken: 'of somebody else' }, user: { id: '2', role: 'admin', locale: 'en' } }
  await startSession({ ...answer, company: {}, isShowTermsAndConditions: false, mustEnrol: false } as never)
  expect(asked).toEqual([['/app/api/v1/auth/logout', `Bearer ${token}`]])
  expect(getSession().token).toBe('of somebody else')
  await show(<Figures />)
  await find('p', 'no figures')
})

test('a visit that is refused shows what it knew no longer, and forgets it', async () => {
  await visit('one')
  serve(() => ({ status: 403, error: { code: 'FORBIDDEN' } }))
  await show(<Figures />)
  await find('p', 'no figures')
  expect(lastKnownTime()).toBeNull()
  closePage()
  silence()
  await show(<Figures />)
  await find('p', 'no figures')
})

test('an answer of somebody else, as of a network that wants a login first, takes nothing away', async () => {
  await visit('one')
  let asked = 0
  vi.stubGlobal('fetch', async () => {
    asked += 1
    return new Response('<html>Welcome to our network</html>')
  })
  await show(<Figures />)
  await eventually(() => expect(asked).toBe(2))
  expect(isShown('at one')).toBe(true)
  expect(lastKnownTime()).not.toBeNull()
})

test('nothing is left once the person has logged out, nor is anything written afterwards', async () => {
  await visit('one')
  figures('two')
  await show(<Figures />)
  await find('p', 'at two')
  logOut({ isOver: true })
  window.dispatchEvent(new Event('pagehide'))
  expect(Object.keys(localStorage).filter((key) => key.includes('known'))).toEqual([])
})

test('a call that is not to be made shows no former answer either', async () => {
  await visit('one')
  silence()
  await show(<Figures enabled={false} />)
  await find('p', 'no figures')
})

/** The page as the build writes it: a script within it begins the app, whose file has a hash in its name. */
function begunBy(file: string) {
  document.head.innerHTML = `<script type="text/plain" data-app="${file}" data-start="s">begin()</script>`
}

test('an answer that another build of the app asked for is not shown', async () => {
  begunBy('/assets/start-1.js')
  await visit('one')
  silence()
  await show(<Figures />)
  await find('p', 'at one')
  closePage()
  begunBy('/assets/start-2.js')
  await show(<Figures />)
  await find('p', 'no figures')
  document.head.replaceChildren()
})

test('answers about people, settings and history are not kept', async () => {
  serve(() => ({ payload: { data: [] } }))
  await show(<People />)
  await find('p', 'people')
  window.dispatchEvent(new Event('pagehide'))
  await eventually(() => expect(isShown('people')).toBe(true))
  expect(Object.keys(localStorage).filter((key) => key.includes('known'))).toEqual([])
})
