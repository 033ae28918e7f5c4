import type { AuditLine, AuditSettings } from '@isotherm/contract/audit.ts'
import { ssoReasons } from '@isotherm/contract/sso.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { SettingsRow } from './checkpoint-queries.ts'
import type { AuditRow } from './queries.ts'
import { type Reader, wordOr } from './value-words.ts'
import { actorInWords, changesInWords, targetInWords } from './words.ts'

/** An entry as a person reads it. */
export const presentEntry = (row: AuditRow, reader: Reader): AuditLine => ({
  id: row.seq,
  at: row.at.toISOString(),
  who: actorInWords(row.actor, reader.locale),
  action: row.action,
  title: wordOr(reader.locale, `audit:${row.action}`, row.action),
  target: row.target,
  about: targetInWords(row.target, reader.locale),
  before: row.before,
  after: row.after,
  changes: changesInWords(row.before, row.after, reader),
  reason: row.reason && reasonText(row.reason, reader),
  address: row.origin.address ?? '',
  agent: row.origin.agent ?? '',
})

export const presentSettings = (row: SettingsRow | undefined): AuditSettings => ({
  webhookUrl: row?.webhook_url ?? null,
  lastSentAt: row?.last_sent_at?.toISOString() ?? null,
  lastSentSeq: row?.last_sent_seq ?? null,
  lastFailure: row?.last_failure ?? null,
})

const ownReasons: ReadonlySet<string> = new Set(['wrongPassword', 'unverified', 'ssoNeeded', ...ssoReasons])

/** Words for our own reasons; a person's text as they wrote it. */
const reasonText = (reason: string, { locale }: Reader) =>
  ownReasons.has(reason) ? translate(locale, `audit:reasons.${reason}`) : reason
