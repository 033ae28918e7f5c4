import { auth } from '@isotherm/contract/auth.ts'
import { groups } from '@isotherm/contract/groups.ts'
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { users } from '@isotherm/contract/users.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call, urlOf } from './call.ts'
import { getSession, logOut, setSession } from './session.ts'
import { dismissToast, getToasts } from './toast.ts'

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  setSession({ token: 'a token', roleModulePermissions: defaultMatrix.staff })
})
afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
})

test('what can() refuses is never sent', async () => {
  await expect(call(users.list, {})).rejects.toMatchObject({ status: 0, code: 'NOT_ALLOWED' })
  expect(fetched).not.toHaveBeenCalled()
})

test('parameters are escaped and empty queries left out', () => {
  expect(urlOf(auth.checkReset, { params: { token: 'a/b c' } })).toBe('/app/api/v1/auth/resetpassword/a%2Fb%20c')
  expect(urlOf(users.list, { query: { page: 2, search: '', role: undefined } })).toBe('/app/api/v1/users?page=2')
})

test('a call carries token, language and JSON, and resolves to the payload', async () => {
  fetched.mockResolvedValue(answer(200, { success: true, payload: { done: true } }))
  await expect(call(auth.acceptTerms, { body: { termsAndConditions: true } })).resolves.toEqual({ done: true })
  const [url, init] = fetched.mock.calls[0] ?? []
  expect(url).toBe('/app/api/v1/auth/updateTerms')
  expect(init).toMatchObject({ method: 'PATCH', body: '{"termsAndConditions":true}' })
  expect(init?.headers).toMatchObject({ authorization: 'Bearer a token', 'content-type': 'application/json' })
})

test('a session that ends here ends on the server, unless that is where it ended', () => {
  fetched.mockResolvedValue(answer(200, { success: true, payload: { done: true } }))
  logOut()
  const [url, init] = fetched.mock.calls[0] ?? []
  expect(url).toBe('/app/api/v1/auth/logout')
  expect(init).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer a token' } })
  setSession({ token: 'another token' })
  logOut({ isOver: true })
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('a public call carries no token', async () => {
  fetched.mockResolvedValue(answer(200, { success: true, payload: { done: true } }))
  await call(auth.forgotPassword, { body: { email: 'a@b.test' } })
  expect(fetched.mock.calls[0]?.[1]?.headers).not.toHaveProperty('authorization')
})

test('a call that begins something after the subscription has expired shows the sentence and ends no session', async () => {
  for (const { id } of getToasts()) dismissToast(id)
  setSession({ token: 'a token', roleModulePermissions: defaultMatrix.admin })
  const message = 'Your subscription has expired, kindly renew'
  fetched.mockResolvedValue(answer(400, { success: false, code: 'SUBSCRIPTION_EXPIRED', message }))
  expect(groups.add.begins).toBe('other')
  await expect(call(groups.add, { body: { name: 'Yaba' } })).rejects.toMatchObject({ code: 'SUBSCRIPTION_EXPIRED' })
  expect(getToasts().map(({ text }) => text)).toEqual([message])
  expect(getSession().token).toBe('a token')
})

test('a refusal rejects with its code, messages, fields and when to try again', async () => {
  const body = { success: false, code: 'TOO_MANY_REQUESTS', message: 'Too many tries.', fields: { email: ['x'] } }
  fetched.mockResolvedValue(answer(429, body, { 'retry-after': '30' }))
  await expect(call(auth.profile)).rejects.toMatchObject({
    status: 429,
    code: 'TOO_MANY_REQUESTS',
    message: 'Too many tries.',
    fields: { email: ['x'] },
    retryAfterS: 30,
  })
})

test('what the server was too busy to begin is sent again, three times in all', async () => {
  vi.useFakeTimers()
  const busy = () => answer(503, { success: false, code: 'BUSY', message: 'Busy.' }, { 'retry-after': '1' })
  fetched.mockImplementationOnce(async () => busy())
  fetched.mockResolvedValueOnce(answer(200, { success: true, payload: { done: true } }))
  const done = call(auth.acceptTerms, { body: { termsAndConditions: true } })
  await vi.runAllTimersAsync()
  await expect(done).resolves.toEqual({ done: true })
  fetched.mockReset()
  fetched.mockImplementation(async () => busy())
  const refused = expect(call(auth.acceptTerms, { body: { termsAndConditions: true } })).rejects.toMatchObject({
    code: 'BUSY',
  })
  await vi.runAllTimersAsync()
  await refused
  expect(fetched).toHaveBeenCalledTimes(3)
  vi.useRealTimers()
})

test('a server out of reach rejects, and logs nobody out', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  await expect(call(auth.profile)).rejects.toMatchObject({ status: 0, code: 'NETWORK' })
  expect(getSession().token).toBe('a token')
})

test('an answer that is cut off is a failure of the line, a whole one of somebody else is not ours', async () => {
  const cutOff = () => {
    const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) })
    return new Response(body, { status: 200 })
  }
  fetched.mockImplementation(async () => cutOff())
  await expect(call(auth.profile)).rejects.toMatchObject({ status: 0, code: 'NETWORK' })
  await expect(call(users.exportCsv, { query: {} })).rejects.toMatchObject({ status: 0 })
  fetched.mockImplementation(async () => new Response('<html>Please log in to this network</html>'))
  await expect(call(auth.profile)).rejects.toMatchObject({ status: 200, code: 'UNREADABLE' })
})

test('a line that is silent is given up after its time, before an answer and in the middle of one', async () => {
  vi.useFakeTimers()
  const ended = (signal: AbortSignal | null | undefined) =>
    new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  fetched.mockImplementationOnce((_, init) => ended(init?.signal))
  const silent = expect(call(auth.profile, {}, { patienceMs: 1_000 })).rejects.toMatchObject({ code: 'NETWORK' })
  await vi.advanceTimersByTimeAsync(1_000)
  await silent
  fetched.mockImplementationOnce(async (_, init) => {
    const body = new ReadableStream({
      start: (stream) => init?.signal?.addEventListener('abort', () => stream.error(init.signal?.reason)),
    })
    return new Response(body)
  })
  let isOver = false
  const begun = expect(
    call(auth.profile, {}, { patienceMs: 1_000 }).finally(() => (isOver = true)),
  ).rejects.toMatchObject({
    code: 'NETWORK',
  })
  await vi.advanceTimersByTimeAsync(900)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  await begun
  // Without it nothing is given up: what was written may have been done.
  fetched.mockImplementationOnce((_, init) => ended(init?.signal))
  isOver = false
  void call(auth.acceptTerms, { body: { termsAndConditions: true } }).finally(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(isOver).toBe(false)
  vi.useRealTimers()
})

test('a late refusal of an earlier session does not end the next one', async () => {
  fetched.mockImplementation(async () => {
    setSession({ token: 'another token' })
    return answer(401, { success: false, code: 'UNAUTHENTICATED', message: 'Please log in.' })
  })
  await expect(call(auth.profile)).rejects.toMatchObject({ status: 401 })
  expect(getSession().token).toBe('another token')
})
