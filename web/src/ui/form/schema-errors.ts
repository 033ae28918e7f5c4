import { type Message, messagesOf } from '@isotherm/contract/errors.ts'
import type { z } from 'zod'
import { i18n } from '../../lib/i18n.ts'

const sentence = ({ key, values }: Message) => i18n.t(`errors:${key}`, values)

/** The errors of a contract schema for a body, by field, in the server's own words; empty when nothing. */
export function schemaErrors(schema: z.ZodType, body: unknown): Record<string, string> {
  const result = schema.safeParse(body)
  if (result.success) return {}
  const errors: Record<string, string> = {}
  for (const { path, message } of messagesOf(result.error))
    errors[path] ??= sentence(valueAt(body, path) === '' ? { key: 'fields.required', values: {} } : message)
  return errors
}

/**
 * The errors of fields that may not stay empty, whatever the schema says: those of these names that are. A choice of several has words of its own
 * for that, which its schema or the server says.
 */
export function missingErrors(names: readonly string[], values: object): Record<string, string> {
  const isMissing = (value: unknown) => value === '' || value === null
  return Object.fromEntries(
    names
      .filter((name) => isMissing(valueAt(values, name)))
      .map((name) => [name, sentence({ key: 'fields.required', values: {} })]),
  )
}

/** An empty text that the schema refuses is missing, whatever form the schema asks for. */
const valueAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce((at, step) => (at as Record<string, unknown> | null | undefined)?.[step], body)
