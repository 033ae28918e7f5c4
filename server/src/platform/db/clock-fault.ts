import type { Pool } from './pool.ts'

const allowedMs = 60_000

/**
 * A sentence for the log where the clocks of this machine and of the database differ: one of them is wrong, and receivers of webhooks refuse messages
 * that are signed five minutes off. Null where they agree.
 */
export async function clockFault(pool: Pick<Pool, 'query'>, now = Date.now): Promise<string | null> {
  const asked = now()
  const { rows } = await pool.query<{ at: Date }>('select clock_timestamp() as at')
  const answered = now()
  const theirs = rows[0]?.at.getTime() ?? answered
  // The database looked at its clock between the two.
  const ahead = Math.max(theirs - answered, 0) + Math.min(theirs - asked, 0)
  if (Math.abs(ahead) <= allowedMs) return null
  const seconds = Math.round(Math.abs(ahead) / 1_000)
  return `the database's clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine's: set both by NTP, or receivers refuse our webhooks and we refuse right codes`
}
