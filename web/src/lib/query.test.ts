import { auth } from '@isotherm/contract/auth.ts'
import { begunAtHeader } from '@isotherm/contract/call.ts'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callWith } from './call.ts'
import { askCall, keyOf, queryClient, streamStartedAt, streamStopped } from './query.ts'
import { setSession } from './session.ts'

const fetched = vi.fn<typeof fetch>()
const begun = (at: number, n: number) =>
  new Response(JSON.stringify({ success: true, payload: { n } }), { headers: { [begunAtHeader]: String(at) } })
const stops: (() => void)[] = []

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  setSession({ token: 'a token' })
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  queryClient.clear()
  streamStopped()
  fetched.mockReset()
  vi.unstubAllGlobals()
})

/** A screen that shows the profile. */
function show() {
  const shown: unknown[] = []
  const observer = new QueryObserver(queryClient, {
    queryKey: keyOf(auth.profile),
    queryFn: ({ signal }) => askCall(auth.profile, undefined, signal),
  })
  stops.push(observer.subscribe(({ data }) => void shown.push((data as { n?: number } | undefined)?.n)))
  return shown
}

test('what was answered before the live stream began is asked for again, what came after is not', async () => {
  fetched.mockResolvedValueOnce(begun(1_000, 1)).mockResolvedValue(begun(1_200, 2))
  const shown = show()
  await vi.waitFor(() => expect(shown.at(-1)).toBe(1), 15_000)
  await streamStartedAt(1_100)
  expect(shown.at(-1)).toBe(2)
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('what is shown is asked for again once a change was refused because somebody else had changed the thing', async () => {
  fetched.mockResolvedValueOnce(begun(1_000, 1))
  const shown = show()
  await vi.waitFor(() => expect(shown.at(-1)).toBe(1), 15_000)
  const refusal = { success: false, code: 'CHANGED_MEANWHILE', message: 'Somebody changed this meanwhile.' }
  fetched.mockResolvedValueOnce(Response.json(refusal, { status: 400 })).mockResolvedValue(begun(1_200, 2))
  await expect(callWith(auth.changeProfile, { body: { fullname: 'Amina' } })).rejects.toThrow()
  await vi.waitFor(() => expect(shown.at(-1)).toBe(2), 15_000)
  expect(fetched).toHaveBeenCalledTimes(3)
})

test('an answer begun after the stream stays', async () => {
  fetched.mockResolvedValue(begun(1_200, 1))
  const shown = show()
  await vi.waitFor(() => expect(shown.at(-1)).toBe(1), 15_000)
  await streamStartedAt(1_100)
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('an answer that was on its way as the stream began is asked for once more where it may lack something', async () => {
  let arrive = (_: Response) => {}
  fetched.mockReturnValueOnce(new Promise((resolve) => (arrive = resolve))).mockResolvedValue(begun(1_300, 2))
  const shown = show()
  const heard = streamStartedAt(1_100)
  arrive(begun(1_000, 1))
  await heard
  await vi.waitFor(() => expect(shown.at(-1)).toBe(2), 15_000)
  expect(shown).not.toContain(1)
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('without the header an answer is taken as it is, once a stream is open', async () => {
  await streamStartedAt(1_100)
  fetched.mockResolvedValue(new Response(JSON.stringify({ success: true, payload: { n: 1 } })))
  const shown = show()
  await vi.waitFor(() => expect(shown.at(-1)).toBe(1), 15_000)
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('what failed while there was no line is asked for again as the stream begins', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(begun(1_200, 1))
  const shown: unknown[] = []
  const observer = new QueryObserver(queryClient, {
    queryKey: keyOf(auth.profile),
    queryFn: ({ signal }) => askCall(auth.profile, undefined, signal),
    retry: false,
  })
  stops.push(observer.subscribe(({ data, error }) => void shown.push((data as { n?: number })?.n ?? error?.name)))
  await vi.waitFor(() => expect(observer.getCurrentResult().error).not.toBeNull(), 15_000)
  await streamStartedAt(1_100)
  expect(shown.at(-1)).toBe(1)
})
