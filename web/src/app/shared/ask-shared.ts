import type { Shared } from '@isotherm/contract/share-links.ts'
import { i18n } from '../../lib/i18n.ts'
import { getSession } from '../../lib/session.ts'

// Not from the contract: its rows would bring zod to a page that is to be light.
const base = '/app/api/v1'
const patienceMs = 20_000

/** `gone`: the link shows nothing any more, or the login is over. `failed`: nothing was heard; the next try may succeed. */
export type Answer = { state: 'ok'; shared: Shared } | { state: 'gone' } | { state: 'failed' }

/** Asks for the values of a link; its token is in the body, so that it is in no log. */
export const askByToken = (token: string, isOpening: boolean): Promise<Answer> =>
  ask('/shared', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, isOpening }),
  })

/** Asks for the logo of the company of a link; null where it cannot be had. */
export async function askForLogo(token: string): Promise<Blob | null> {
  try {
    const response = await fetch(`${base}/shared/logo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    return response.ok ? await response.blob() : null
  } catch {
    return null
  }
}

/** Asks for a wall in the name of the person who is logged in to this browser. */
export function askBySession(groupIds: string, showsPrivate: boolean): Promise<Answer> {
  const { token } = getSession()
  if (!token) return Promise.resolve({ state: 'gone' })
  const query = new URLSearchParams({ showsPrivate: String(showsPrivate), ...(groupIds && { groupIds }) })
  return ask(`/wall?${query}`, { headers: { authorization: `Bearer ${token}` } })
}

async function ask(path: string, request: RequestInit): Promise<Answer> {
  const aborting = new AbortController()
  const timer = setTimeout(() => aborting.abort(), patienceMs)
  try {
    const headers = { ...request.headers, 'accept-language': i18n.language }
    const response = await fetch(`${base}${path}`, { ...request, headers, signal: aborting.signal })
    const answer = (await response.json().catch(() => null)) as { success?: boolean; payload?: Shared } | null
    if (response.ok && answer?.payload) return { state: 'ok', shared: answer.payload }
    const isRefused = [400, 401, 403, 404, 422].includes(response.status)
    return { state: isRefused && answer?.success === false ? 'gone' : 'failed' }
  } catch {
    return { state: 'failed' }
  } finally {
    clearTimeout(timer)
  }
}
