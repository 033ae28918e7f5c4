import type { Client } from '../../platform/db/pool.ts'
import { type Message, skipped } from './messages.ts'

/** Those of these companies that are sandboxes. */
async function sandboxesAmong(client: Client, companies: readonly number[]): Promise<ReadonlySet<number>> {
  const text = 'select company_id as id from companies where is_sandbox and company_id = any($1::int4[])'
  const { rows } = await client.query<{ id: number }>(text, [[...new Set(companies)]])
  return new Set(rows.map(({ id }) => id))
}

/** Messages as they are sent: from a sandbox nobody gets any, only programs are told, by webhooks. */
export async function withoutSandboxes(client: Client, messages: readonly Message[]): Promise<readonly Message[]> {
  if (messages.length === 0) return messages
  const sandboxes = await sandboxesAmong(
    client,
    messages.map(({ companyId }) => companyId),
  )
  if (sandboxes.size === 0) return messages
  return messages.map((message) =>
    sandboxes.has(message.companyId) && message.channel !== 'webhook'
      ? { ...message, ...skipped('sandbox'), units: 0 }
      : message,
  )
}

export const isSandbox = async (client: Client, companyId: number): Promise<boolean> =>
  (await sandboxesAmong(client, [companyId])).has(companyId)
