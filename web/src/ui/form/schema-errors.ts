import { type Message, messagesOf } from '@isotherm/contract/errors.ts'
import type { z } from 'zod'
import { i18n } from '../../lib/i18n.ts'

const sentence = ({ key, values }: Message) => i18n.t(`errors:${key}`, values)

/** The errors of a contract schema for a body, by field, in the server's own words; empty when nothing. */
export function schemaErrors(schema: z.ZodType, body: unknown): Record<string, string> {
  const result = schema.safeParse(body)
  if (result.success) return {}
  const errors: Record<string, string> = {}
  for (const { path, message } of messagesOf(result.error)) errors[path] ??= sentence(message)
  return errors
}
