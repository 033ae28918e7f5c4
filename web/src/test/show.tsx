import { apiBase } from '@isotherm/contract/call.ts'
import { defaultMatrix, type Role } from '@isotherm/contract/permissions.ts'
import { MantineProvider } from '@mantine/core'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterAll, vi } from 'vitest'
import { loadTexts, setLanguage, startI18n } from '../lib/i18n.ts'
import { forgetAnswers } from '../lib/last-known.ts'
import { queryClient } from '../lib/query.ts'
import { QueryProvider } from '../lib/query-provider.tsx'
import { setSession } from '../lib/session.ts'
import { parseSearch, stringifySearch } from '../lib/url-search.ts'
import { Confirmations } from '../ui/confirmations.tsx'
import { theme } from '../ui/theme.ts'

const starting = startI18n(['common', 'errors'])
let root: Root | undefined

interface Look {
  path?: string
  locale?: 'en' | 'fr' | 'es' | 'sw'
  texts?: string[]
}

/** Renders it as the shell would, in place of what was shown before; resolves with how to tell its address. */
export async function show(content: ReactNode, { path = '/', locale = 'en', texts = [] }: Look = {}) {
  await starting
  await setLanguage(locale)
  await loadTexts(texts)
  closePage()
  const history = createMemoryHistory({ initialEntries: [path] })
  const routes = createRootRoute({ component: () => content, validateSearch: (search) => search })
  root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(
    <MantineProvider theme={theme} env="test">
      <QueryProvider>
        <RouterProvider router={createRouter({ routeTree: routes, history, parseSearch, stringifySearch })} />
        <Confirmations />
      </QueryProvider>
    </MantineProvider>,
  )
  return { address: () => history.location.href }
}

/** The page is closed; what it kept for the next visit stays. */
export function closePage() {
  root?.unmount()
  root = undefined
  document.body.replaceChildren()
  queryClient.clear()
}

// The next file of this worker has a page of its own.
afterAll(closePage)

/** Takes away what is shown, what was answered, and what is kept of that for the next visit. */
export function leave() {
  closePage()
  // A slow machine has kept answers for the next visit, which another test would show as what was last known.
  forgetAnswers()
  for (const key of Object.keys(localStorage)) if (key.startsWith('isotherm.known.')) localStorage.removeItem(key)
}

/** Somebody of this role is logged in. */
export const logInAs = (role: Role) =>
  setSession({ token: 'token', role, roleModulePermissions: defaultMatrix[role], timezone: 'Africa/Lagos' })

export interface Request {
  method: string
  path: string
  body: unknown
}

interface Answer {
  status?: number
  payload?: unknown
  [more: string]: unknown
}

/** A server that answers the calls of the browser; resolves with those that were made. */
export function serve(answer: (request: Request) => Answer | Promise<Answer>) {
  const requests: Request[] = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    const request = { method, path: url.slice(apiBase.length), body: body ? JSON.parse(String(body)) : undefined }
    requests.push(request)
    const { status = 200, ...rest } = await answer(request)
    return Response.json({ success: status < 400, ...rest }, { status })
  })
  return requests
}

/** Repeats a check until it holds; a busy machine is slow. */
export const eventually = <T,>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 50_000 })

const named = (element: Element) => element.getAttribute('aria-label') ?? element.textContent ?? ''

/** The first element of a selector whose text or label has these words; waits for it. */
export const find = (selector: string, words: string | RegExp = ''): Promise<HTMLElement> =>
  eventually(() => {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].find((each) =>
      typeof words === 'string' ? named(each).includes(words) : words.test(named(each)),
    )
    if (!found) throw new Error(`no ${selector} with ${words} in: ${textShown()}`)
    return found
  })

// Mantine's variables are a style element in the body.
const textShown = () =>
  [...document.body.querySelectorAll('*:not(style)')]
    .flatMap((element) => [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE))
    .map(({ textContent }) => textContent)
    .join(' ')

export const isShown = (words: string): boolean => textShown().includes(words)

export const press = async (words: string | RegExp) => (await find('button', words)).click()

/** The field with this label. */
export async function field(label: string): Promise<HTMLInputElement> {
  const found = await find('label', label)
  return document.getElementById(found.getAttribute('for') ?? '') as HTMLInputElement
}

/** As the keyboard would: all of the text, then, with `leave`, on to the next field. */
export function type(input: HTMLInputElement | HTMLTextAreaElement, text: string, { leave: leaves = true } = {}) {
  input.focus()
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
  if (leaves) input.blur()
}

/** Key by key, in place of all that the field holds; the field shows each before the next one. */
export async function typeKeys(input: HTMLInputElement, keys: string) {
  input.focus()
  input.setSelectionRange(0, input.value.length)
  for (const key of keys) {
    const [start, end] = [input.selectionStart ?? 0, input.selectionEnd ?? 0]
    input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    const text = `${input.value.slice(0, start)}${key}${input.value.slice(end)}`
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set?.call(input, text)
    input.setSelectionRange(start + 1, start + 1)
    input.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((resolve) => setTimeout(resolve))
  }
}
