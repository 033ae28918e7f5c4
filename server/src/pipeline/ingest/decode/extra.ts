import type { Reason } from '../inbound-message.ts'

const maxDepth = 8
const maxBytes = 8_192

/**
 * The JSON kept of fields we do not know; null when there are none. Throws ExtraError where PostgreSQL's jsonb could not
 * hold it (NUL, half a surrogate pair) or it is unreasonably deep or long.
 */
export function extraJson(fields: Record<string, unknown>): string | null {
  let any = false
  for (const key in fields) {
    any = true
    checkText(key)
    checkValue(fields[key], 1)
  }
  if (!any) return null
  const json = JSON.stringify(fields)
  if (json.length > maxBytes) throw new ExtraError({ rule: 'length', bound: maxBytes })
  return json
}

export class ExtraError extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(reason.rule)
    this.reason = reason
  }
}

function checkValue(value: unknown, depth: number): void {
  if (typeof value === 'string') checkText(value)
  if (typeof value !== 'object' || value === null) return
  if (depth >= maxDepth) throw new ExtraError({ rule: 'depth', bound: maxDepth })
  for (const [key, inner] of Object.entries(value)) {
    checkText(key)
    checkValue(inner, depth + 1)
  }
}

function checkText(text: string): void {
  if (text.includes('\0')) throw new ExtraError({ rule: 'nul' })
  if (!text.isWellFormed()) throw new ExtraError({ rule: 'unicode' })
}
