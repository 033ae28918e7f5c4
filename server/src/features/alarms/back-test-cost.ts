import type { NewRecipient } from '@isotherm/contract/alarm-recipients.ts'
import type { BackTest, BackTestQuestion } from '@isotherm/contract/back-test.ts'
import { Locale } from '@isotherm/contract/common.ts'
import { hearerAt } from '../../core/alarms/rota-sql.ts'
import { type Alert, alertTexts, localTime } from '../../core/alerts/alert-texts.ts'
import { unitWeightsAt } from '../../core/provider/unit-weights.ts'
import { cumulativeOf } from '../../domain/alarm-conditions.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { writeDuration } from '../../platform/i18n/write-duration.ts'
import { Turns } from '../../platform/loop/turns.ts'
import { plainSigns, smsSegments } from '../../platform/messaging/sms-segments.ts'
import { findHearers, findRotas, type Person } from './back-test-queries.ts'
import type { TestedFiring } from './back-test-run.ts'

export type Cost = Pick<BackTest, 'smsUnits' | 'chatUnits' | 'mails'>

/** The price of one telling: the languages and zones of those who get an SMS, the units of chat messages, and the number of mails. */
export interface Priced {
  sms: SmsAudience[]
  chats: number
  mails: number
  /** The link of a trigger, for the length of the text. */
  link: string
}

/** `weight`: the units of one segment to all of them. `known`: segments by what decides the length of a text. */
interface SmsAudience {
  locale: Locale
  zone: string
  weight: number
  known: Map<string, number>
}

/** The recipients: each person or address once by each channel that reaches them. */
export async function priceList(ctx: Context, question: BackTestQuestion): Promise<Priced> {
  const recipients = await withHearers(ctx, question.recipients)
  const ids = recipients.flatMap((recipient) => ('userId' in recipient ? recipient.userId : []))
  const people = await findHearers(ctx, ids)
  const company = people.get('0')
  const weightOf = await withLogin(ctx.tx, () => unitWeightsAt(ctx.tx, ctx.clock.now()))
  const phones = new Map<string, Pick<Person, 'locale' | 'timezone'> & { weight: number }>()
  const [chats, mails] = [new Map<string, number>(), new Set<string>()]
  for (const recipient of recipients) {
    const person = 'userId' in recipient ? people.get(recipient.userId) : company
    const channels = channelsOf(recipient)
    const phone = 'phone' in recipient ? recipient.phone : 'userId' in recipient ? person?.phone : null
    const key = 'userId' in recipient ? recipient.userId : JSON.stringify(recipient)
    if (!person) continue
    if (phone && channels.includes('sms')) phones.set(key, { ...person, weight: weightOf('sms', phone) ?? 0 })
    if (phone && channels.includes('chat')) chats.set(key, weightOf('chat', phone) ?? 0)
    if (channels.includes('mail')) mails.add(key)
  }
  const byText = Map.groupBy(phones.values(), ({ locale, timezone }) => `${locale}/${timezone}`)
  const sum = (weights: Iterable<number>) => [...weights].reduce((all, weight) => all + weight, 0)
  const sms = [...byText.values()].flatMap((same) =>
    same[0]
      ? [
          {
            ...{ locale: Locale.parse(same[0].locale), zone: same[0].timezone, known: new Map() },
            weight: sum(same.map(({ weight }) => weight)),
          },
        ]
      : [],
  )
  return {
    sms,
    chats: sum(chats.values()),
    mails: mails.size,
    link: `${ctx.services.config.publicUrl}/alarms/triggered-alarms?trigger=100000`,
  }
}

/** For a rota, the person of it who would hear now. */
async function withHearers(ctx: Context, recipients: readonly NewRecipient[]): Promise<NewRecipient[]> {
  const plans = await findRotas(
    ctx,
    recipients.flatMap((each) => ('rotaId' in each ? each.rotaId : [])),
  )
  return recipients.flatMap((each): NewRecipient | [] => {
    if (!('rotaId' in each)) return each
    const plan = plans.get(each.rotaId)
    const hearer = plan && hearerAt(plan, ctx.clock.now())
    return hearer ? { userId: hearer.id, channels: each.channels } : []
  })
}

function channelsOf(recipient: NewRecipient): readonly string[] {
  if ('channels' in recipient) return recipient.channels
  return 'email' in recipient ? ['mail'] : ['webhook']
}

const minuteMs = 60_000

/**
 * Computes the cost of messages about one device's firings: one message per person and channel, to which those of the device
 * that open within a minute are added. Storms, where many devices share one message, would make it less.
 */
export async function costOf(
  question: BackTestQuestion,
  prices: Priced,
  found: readonly TestedFiring[],
): Promise<Cost> {
  const opened = found.toSorted((a, b) => a.firing.openedAt - b.firing.openedAt)
  const messages: Alert[] = []
  const turns = new Turns()
  let madeAt = Number.NEGATIVE_INFINITY
  for (const one of opened) {
    if (turns.isOver) await turns.next()
    if (question.notifyNormal && one.firing.normalAt !== null) messages.push(alertOf(question, one, 'normal'))
    if (one.firing.openedAt - madeAt <= minuteMs) continue
    madeAt = one.firing.openedAt
    messages.push(alertOf(question, one, 'opened'))
  }
  let smsUnits = 0
  for (const tongue of prices.sms)
    for (const alert of messages) {
      if (turns.isOver) await turns.next()
      smsUnits += tongue.weight * segmentsOf(tongue, prices.link, alert)
    }
  return { smsUnits, chatUnits: prices.chats * messages.length, mails: prices.mails * messages.length }
}

/** Texts that differ only in plain letters and digits have as many segments: most firings make a text of a known shape. */
function segmentsOf({ locale, zone, known }: SmsAudience, link: string, alert: Alert): number {
  const endAt = alert.event === 'normal' ? alert.normalAt : null
  const time = localTime(locale, zone, endAt ?? alert.since)
  const lasted = endAt && writeDuration(locale, Date.parse(endAt) - Date.parse(alert.since))
  const key = `${alert.condition} ${alert.event} ${shapeOf(`${alert.device}|${alert.fence}|${time}|${alert.value}|${alert.peak}|${lasted}`)}`
  const segments = known.get(key) ?? smsSegments(`${plainSigns(alertTexts(locale, zone, [alert]).line)} ${link}`)
  known.set(key, segments)
  return segments
}

const shapeOf = (text: string) => text.replace(/[0-9A-Za-z]/g, 'x')

function alertOf(
  question: BackTestQuestion,
  { device, condition, firing }: TestedFiring,
  event: Alert['event'],
): Alert {
  return {
    event,
    severity: question.severity,
    alarm: question.name,
    device: device.name,
    condition: condition.name.split(':')[0] ?? '',
    fence: condition.kind === 'fence' ? condition.fence.name : null,
    limit:
      condition.kind === 'value'
        ? condition.limit / 100
        : condition.kind === 'silence'
          ? condition.afterMs / minuteMs
          : null,
    cumulative: cumulativeOf(condition),
    value: firing.value === null ? null : firing.value / 100,
    peak: firing.peak === null ? null : firing.peak / 100,
    // A value that is back has about as many digits as its limit.
    latest: event === 'normal' && condition.kind === 'value' ? condition.limit / 100 : null,
    since: new Date(firing.breachAt).toISOString(),
    normalAt: firing.normalAt === null ? null : new Date(firing.normalAt).toISOString(),
    place: null,
    late: false,
  }
}
