import { useRef } from 'react'
import { newRequestId } from './request-id.ts'

/** The key of each body that is sent: sent again after a lost answer it has the same key; another body is another request. */
export function requestKeys(): (body: object) => string {
  let sent = { text: '', key: '' }
  return (body) => {
    const text = JSON.stringify(body)
    if (sent.text !== text) sent = { text, key: newRequestId() }
    return sent.key
  }
}

/** The same for as long as a form is open. */
export function useRequestKey(): (body: object) => string {
  const keyOf = useRef<ReturnType<typeof requestKeys>>(null)
  keyOf.current ??= requestKeys()
  return keyOf.current
}
