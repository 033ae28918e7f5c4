import { beforeEach, describe, expect, test } from 'vitest'
import { CallError } from './call-error.ts'
import { applyErrorRules } from './error-rules.ts'
import { getSession, setSession } from './session.ts'
import { dismissToast, getToasts } from './toast.ts'

const texts = () => getToasts().map((toast) => toast.text)
const fails = (status: number, messages: string[] = [], how = { toastAll: false, sentToken: true }) =>
  applyErrorRules(new CallError(status, 'INTERNAL', 'what happened', { messages }), how)

beforeEach(() => {
  for (const toast of getToasts()) dismissToast(toast.id)
  setSession({ token: 'a token' })
})

describe('a failed call', () => {
  test('of 400 toasts its message', () => {
    fails(400)
    expect(texts()).toEqual(['what happened'])
    expect(getSession().token).toBe('a token')
  })

  test('of 422 toasts each of its messages', () => {
    fails(422, ['name: too long', 'email: no mail address'])
    expect(texts()).toEqual(['name: too long', 'email: no mail address'])
    expect(getSession().token).toBe('a token')
  })

  test('of 403 toasts and logs out', () => {
    fails(403)
    expect(texts()).toEqual(['what happened'])
    expect(getSession().token).toBeNull()
  })

  test('of 401 logs out quietly', () => {
    fails(401, [], { toastAll: true, sentToken: true })
    expect(texts()).toEqual([])
    expect(getSession().token).toBeNull()
  })

  test.each([0, 404, 413, 429, 500, 503])('of %i only rejects', (status) => {
    fails(status)
    expect(texts()).toEqual([])
    expect(getSession().token).toBe('a token')
  })

  test('of an export toasts whatever it is', () => {
    fails(500, [], { toastAll: true, sentToken: true })
    expect(texts()).toEqual(['what happened'])
  })

  test('that needed no login does not end one', () => {
    fails(403, [], { toastAll: false, sentToken: false })
    expect(getSession().token).toBe('a token')
  })
})
